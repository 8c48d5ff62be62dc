"""What is hidden of a game: never in the admin, never in a representation."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from games.models.game import Game


class Deal(models.Model):
    """The seed, from the making of the game on, and the deck order, from its start on. The database lets
    neither be changed once it is there."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, primary_key=True, related_name="deal")
    seed = models.BinaryField(max_length=32)
    deck = ArrayField(models.CharField(max_length=3), null=True)

    def __str__(self) -> str:
        return "deal"

    def __repr__(self) -> str:
        return "<Deal>"
