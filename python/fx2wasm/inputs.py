"""What an input looks like: shapes with integers and names, and dtypes."""

from __future__ import annotations

import re
from typing import Any, Mapping, NamedTuple, Sequence, Tuple, Union

import torch

from .errors import ExportError
from .names import dtype_name

#: A dimension: its size, or the name of a size that is known only when the model runs.
Dim = Union[int, str]
Shape = Sequence[Dim]
#: A tensor, a shape, a shape with its dtype, or text such as ``"n,784"`` and ``"5:int64"``.
InputSpec = Union[torch.Tensor, Shape, Tuple[Shape, Union[str, torch.dtype]], str]
#: One entry per input in forward's order, or a dict by argument name. A lone input may stand bare.
Inputs = Union[Sequence[InputSpec], Mapping[str, InputSpec], InputSpec]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class TensorType(NamedTuple):
    """The shape and dtype of one input."""

    shape: list[Dim]
    dtype: str


def _dim(value: object, where: str) -> Dim:
    if isinstance(value, str):
        text = value.strip()
        if _NAME.match(text):
            return text
        try:
            value = int(text)
        except ValueError:
            raise ExportError(
                f"{where}: {value!r} is no dimension; it is a size such as 784 or a name such as n"
            ) from None
    if isinstance(value, bool) or not isinstance(value, int):
        raise ExportError(f"{where}: a dimension is an integer or a name, not {value!r}")
    if value < 0:
        raise ExportError(f"{where}: {value} is no size; a name such as 'n' stands for any size")
    return value


def parse_type(text: str, default_dtype: str = "float32") -> TensorType:
    """``"1,784"``, ``"n,784:float16"`` or ``""`` (a scalar) as a shape and a dtype.

    Raises:
        ExportError: a dimension or the dtype is none.
    """
    dims, colon, dtype = text.partition(":")
    where = f"input {text!r}"
    shape = [_dim(part, where) for part in dims.split(",")] if dims.strip() else []
    return TensorType(shape, dtype_name(dtype.strip() if colon else default_dtype))


def input_type(spec: InputSpec, where: str = "input") -> TensorType:
    """The shape and dtype that one entry of ``inputs`` describes.

    Raises:
        ExportError: it is none of the forms of ``InputSpec``; ``where`` names it.
    """
    if isinstance(spec, torch.Tensor):
        return TensorType(list(spec.shape), dtype_name(spec.dtype))
    if isinstance(spec, str):
        return parse_type(spec)
    if not isinstance(spec, (tuple, list)):
        raise ExportError(
            f"{where}: expected a tensor, a shape such as (1, 784) or a pair such as "
            f'((1, 784), "int64"), not {spec!r}'
        )
    shape, dtype = spec, "float32"
    if len(spec) == 2 and isinstance(spec[0], (tuple, list)):
        shape, dtype = spec[0], dtype_name(spec[1])
    return TensorType([_dim(dim, where) for dim in shape], dtype)


def _is_bare(inputs: Inputs) -> bool:
    """Whether it is one input, not a sequence of them: a tensor, ``(1, 784)``, ``"1,784"``."""
    if isinstance(inputs, (torch.Tensor, str)):
        return True
    items = list(inputs)
    dims = all(isinstance(item, (int, str)) for item in items)
    return dims and any(isinstance(item, int) for item in items)


def match_inputs(inputs: Inputs, names: Sequence[str]) -> dict[str, TensorType]:
    """The type of each described input, by the name of its placeholder's argument.

    Raises:
        ExportError: an entry is malformed, there are too many, or a name does not exist.
    """
    if isinstance(inputs, Mapping):
        for name in inputs:
            if name not in names:
                raise ExportError(f"inputs: forward has no input {name!r}, only {', '.join(names)}")
        return {name: input_type(spec, f"input {name}") for name, spec in inputs.items()}
    # A lone spec and a sequence of specs are told apart by their values, not by their types.
    specs: list[Any] = [inputs] if _is_bare(inputs) else list(inputs)
    if len(specs) > len(names):
        raise ExportError(
            f"{len(specs)} inputs are described, but forward has {len(names)}: {', '.join(names)}"
        )
    return {name: input_type(spec, f"input {name}") for name, spec in zip(names, specs)}
