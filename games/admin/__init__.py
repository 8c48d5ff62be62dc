"""The admin's pages of games, players, boards, deals of the day and jobs."""

from games.admin import boards, dailies, games, jobs, players

__all__ = ["boards", "dailies", "games", "jobs", "players"]
