"""Every move that a game's types can express, as far as it can be counted.

Numbers go up to `MOST`, and lists hold one item or two.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain, permutations, product
from re import search
from typing import Any

from msgspec import NODEFAULT, UNSET, inspect

MOST = 13

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
        case inspect.VarTupleType(item_type=item):
            values = tuple(_values(item))
            return chain(((value,) for value in values), permutations(values, 2))
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
        yield kind.cls(**dict(zip(fields, values, strict=True)))
