"""A sequence whose items are made when they are asked for."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, overload

Item = TypeVar("Item")


class LazySequence(Sequence[Item]):
    """All that a sequence has, from its length and a way to make one item."""

    @abstractmethod
    def make(self, number: int) -> Item:
        """The item at a place, from 0."""

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...

    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        places = range(len(self))[index]
        return [self.make(place) for place in places] if isinstance(places, range) else self.make(places)
