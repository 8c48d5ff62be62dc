"""Every move that a game's types can express, as far as it can be counted.

Numbers go up to `MOST`, and lists hold up to two items.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, permutations, product
from random import Random
from re import search
from typing import Any

import msgspec
from msgspec import NODEFAULT, UNSET, inspect

MOST = 13
TRIED_WHOLE, TRIED_OF_MORE = 2500, 200
"""A universe up to this size is tried whole at every position; of a larger one so many."""

FRENCH = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
SPANISH = [f"{number}{suit}" for number in range(1, 13) for suit in "OCEB"]
CARDS = tuple(dict.fromkeys(FRENCH + SPANISH))


@cache
def universe(kind: Any) -> tuple[Any, ...]:
    """The values of a type: a Struct, a union of Structs, or what their fields are made of."""
    return tuple(_values(inspect.type_info(kind)))


def _values(kind: inspect.Type) -> Iterator[Any]:
    match kind:
        case inspect.Metadata(type=inner):
            return _values(inner)
        case inspect.UnionType(types=types):
            return chain.from_iterable(map(_values, types))
        case inspect.StructType():
            return _structs(kind)
        case inspect.TupleType(item_types=types):
            return product(*map(_values, types))
        case inspect.VarTupleType(item_type=item, min_length=least):
            values = tuple(_values(item))
            none = () if least else ((),)
            return chain(none, ((value,) for value in values), permutations(values, 2))
    return _scalars(kind)


def _scalars(kind: inspect.Type) -> Iterator[Any]:
    match kind:
        case inspect.LiteralType(values=values):
            return iter(values)
        case inspect.BoolType():
            return iter((False, True))
        case inspect.NoneType():
            return iter((None,))
        case inspect.IntType(ge=least, le=most):
            return iter(range(least or 0, min(MOST if most is None else most, MOST) + 1))
        case inspect.StrType(pattern=str(pattern)):
            return (card for card in CARDS if search(pattern, card))
    raise TypeError(f"universe() does not know how to count {kind}")


def _structs(kind: inspect.StructType) -> Iterator[Any]:
    fields = {
        field.name: (
            *_values(field.type),
            *(() if field.required or field.default is not NODEFAULT else (UNSET,)),
        )
        for field in kind.fields
    }
    for values in product(*fields.values()):
        try:
            yield kind.cls(**dict(zip(fields, values, strict=True)))
        except ValueError:
            continue  # what a type cannot say, such as a card given twice


def moves_to_try(kind: Any, legal: Sequence[Any], rng: Random) -> tuple[Any, ...]:
    """The legal moves and the universe, or where that is large a part of it, with moves that differ little from
    legal ones."""
    whole = universe(kind)
    if len(whole) <= TRIED_WHOLE:
        return (*whole, *legal)
    near = [other for move in rng.sample(legal, min(len(legal), 12)) for other in _near(move, rng)]
    return (*rng.sample(whole, TRIED_OF_MORE), *near, *legal)


def _near(move: Any, rng: Random) -> Iterator[Any]:
    """Moves that differ from another in one part."""
    for field in inspect.type_info(type(move)).fields:  # type: ignore[attr-defined]
        value, others = getattr(move, field.name), universe_of(field.type)
        if not field.required:
            others = (*others, UNSET)
        changed = [rng.choice(others) for _ in range(4)]
        if isinstance(value, tuple) and isinstance(field.type, inspect.VarTupleType):
            changed += [value[1:], value[:-1], value[::-1]]
            changed += [(*value, rng.choice(universe_of(field.type.item_type))) for _ in range(2)]
        for other in changed:
            try:
                yield msgspec.structs.replace(move, **{field.name: other})
            except ValueError:
                continue


def universe_of(kind: inspect.Type) -> tuple[Any, ...]:
    """The values of a part of a move."""
    key = repr(kind)
    if key not in _PARTS:
        _PARTS[key] = tuple(_values(kind))
    return _PARTS[key]


_PARTS: dict[str, tuple[Any, ...]] = {}
