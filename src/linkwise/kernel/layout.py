"""Where the states of a batch lie in memory, told in as few axes as can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Shape = tuple[int, ...]


def arranged(arrays: Sequence[Array], core_axes: Sequence[int], batch: Shape) -> tuple[Shape, tuple[Shape, ...]]:
    """How to go over arrays whose leading axes broadcast to a batch: its shape, and strides for each array."""
    strides = [_strides(array, core, len(batch)) for array, core in zip(arrays, core_axes, strict=True)]
    if len(batch) < 2:
        return batch or (1,), tuple(strides)
    axes = _fewest(batch, strides) or [(1, (0,) * len(arrays))]
    shape, steps = zip(*sorted(axes, key=lambda axis: axis[0]), strict=True)  # kernels go along the longest axis
    own = [each[len(batch) :] for each in strides]
    return shape, tuple((*leading, *core) for leading, core in zip(zip(*steps, strict=True), own, strict=True))


def _strides(array: Array, core_axes: int, batch_axes: int) -> Shape:
    """The strides of one batch axis at least, and of the core: 0 along axes that an array lacks or has one item on."""
    strides = array.strides
    leading = array.ndim - core_axes
    if 1 in array.shape[:leading]:
        here = [0 if length == 1 else s for length, s in zip(array.shape[:leading], strides, strict=False)]
        strides = (*here, *strides[leading:])
    return (0,) * (max(1, batch_axes) - leading) + strides


def _fewest(batch: Shape, strides: Sequence[Shape]) -> list[tuple[int, Shape]]:
    """The same batch without axes of one state, and neighbours in one where every array runs on from row to row.

    An axis is its length and the strides of all arrays along it.
    """
    fewest: list[tuple[int, Shape]] = []
    for length, steps in zip(batch, zip(*strides, strict=False), strict=False):
        if length == 1:
            continue
        if fewest and fewest[-1][1] == tuple(length * step for step in steps):
            length *= fewest.pop()[0]
        fewest.append((length, steps))
    return fewest


def clash(out: Array, array: Array) -> bool:
    """Whether results may fall on what is still to be read: memory is shared, but not item by item."""
    shared = np.may_share_memory(out, array, max_work=1000)  # pyright: ignore[reportArgumentType] any number will do
    return shared and _place(out) != _place(array)


def _place(array: Array) -> tuple[int, Shape, Shape]:
    return pointer(array), array.shape, array.strides


def pointer(array: Array) -> int:
    return array.__array_interface__["data"][0]
