"""The admin's pages of what is done about people: the audit trail, and roles. The pages of players, with their games,
are registered beside the games."""

from accounts.admin import audit, roles

__all__ = ["audit", "roles"]
