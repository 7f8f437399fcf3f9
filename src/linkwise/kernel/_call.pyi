from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

class Function:
    """A kernel as a function of arrays; `slow` is called with what the kernel cannot read as it is."""

    def __init__(
        self,
        address: int,
        cores: tuple[tuple[int, ...], ...],
        result: tuple[int, ...],
        dtype: np.dtype[Any],
        slow: Callable[..., Any],
        most_states: int,
    ) -> None: ...
    def __call__(self, *arguments: Any, **named: Any) -> Any: ...

def run(
    address: int,
    arrays: tuple[NDArray[Any], ...],
    strides: tuple[tuple[int, ...], ...],
    shape: tuple[int, ...],
    start: int,
    stop: int,
) -> None: ...
