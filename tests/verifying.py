"""`manage.py verify_games` within the process of a test, where the games are that the test has made."""

from unittest.mock import patch

from django.core.management import CommandError, call_command

from games.management.commands import verify_games
from tests.expect import nothing_changes


class Pool:
    """In the place of a pool of processes."""

    def __init__(self, workers, initializer):
        assert workers >= 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def imap_unordered(self, work, items, chunksize):
        return map(work, items)


def verified(capsys, **options):
    """What the command says in the end, None if all is well, and the lines that it writes. It changes nothing."""
    capsys.readouterr()
    status = None
    with nothing_changes(), patch.object(verify_games.multiprocessing, "get_context") as context:
        context.return_value.Pool = Pool
        try:
            call_command("verify_games", **options)
        except CommandError as error:
            status = str(error)
    return status, capsys.readouterr().out.splitlines()


def first_moves(game, players, plies):
    """So many first legal moves, by API."""
    for _ in range(plies):
        seen = players[0].client.get_json(f"games/{game}/")
        if seen["status"] != "running":
            return
        player = players[seen["to_act"][0]]
        move = player.client.get_json(f"games/{game}/legal-moves?limit=1")["items"][0]
        answer = player.client.post(f"games/{game}/moves", {"ply": seen["ply"], "move": move})
        assert answer.status_code == 201, answer.content
