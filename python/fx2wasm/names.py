"""The names that the JSON uses for dtypes, functions and module classes."""

from __future__ import annotations

import sys
from typing import Any, Callable, Union

import torch
from torch import nn

from .errors import ExportError

_DTYPE_NAMES = (
    "float16", "bfloat16", "float32", "float64",
    "int8", "int16", "int32", "int64",
    "uint8", "uint16", "uint32", "uint64",
    "bool",
)  # fmt: skip

#: Every dtype of the installed torch that the format can name (old ones lack ``uint16`` and up).
DTYPES: dict[str, torch.dtype] = {
    name: getattr(torch, name) for name in _DTYPE_NAMES if hasattr(torch, name)
}
_NAME_OF_DTYPE = {dtype: name for name, dtype in DTYPES.items()}

# Where a function is looked for, first hit wins. Public places come first because torch itself
# often reports a binding: torch.nn.functional.gelu says that it lives in torch._C._nn.
_PUBLIC_PLACES = (
    "torch.nn.functional", "torch", "operator", "math", "builtins",
    "torch.linalg", "torch.special", "torch.fft", "torchvision.ops",
)  # fmt: skip


def dtype_name(dtype: Union[torch.dtype, str]) -> str:
    """``torch.float32``, ``"torch.float32"`` or ``"float32"`` as ``"float32"``.

    Raises:
        ExportError: the format has no such dtype.
    """
    if isinstance(dtype, str):
        name = dtype[len("torch.") :] if dtype.startswith("torch.") else dtype
        if name not in _DTYPE_NAMES:
            raise ExportError(f"{dtype!r} is no dtype; known are {', '.join(_DTYPE_NAMES)}")
        return name
    if dtype not in _NAME_OF_DTYPE:
        raise ExportError(f"tensors of type {dtype} cannot be exported")
    return _NAME_OF_DTYPE[dtype]


def function_name(function: Callable[..., Any]) -> str:
    """The public qualified name of a ``call_function`` target.

    It always ends in the function's ``__name__``, because translators such as TVM's choose their
    rule by that name. An operator overload keeps its overload: ``torch.ops.aten.add.Tensor``.

    Raises:
        ExportError: the target is an object without a name.
    """
    kind = type(function).__name__
    if kind == "OpOverloadPacket":
        return "torch.ops." + str(function).replace("::", ".")
    name = getattr(function, "__name__", None)
    if name is None:
        raise ExportError(f"the graph calls {function!r}, which has no name")
    if kind == "OpOverload":
        namespace = function._schema.name.split("::")[0]  # type: ignore[attr-defined]
        return f"torch.ops.{namespace}.{name}"
    for place in _PUBLIC_PLACES:
        if getattr(sys.modules.get(place), name, None) is function:
            return f"{place}.{name}"
    home = getattr(function, "__module__", None) or "unknown"
    return f"{'operator' if home == '_operator' else home}.{name}"


def class_name(cls: type) -> str:
    """The public name of a module's class: ``torch.nn.Linear``, else where it is defined."""
    places = (("torch.nn", nn), ("torchvision.ops", sys.modules.get("torchvision.ops")))
    for place, module in places:
        if getattr(module, cls.__name__, None) is cls:
            return f"{place}.{cls.__name__}"
    return f"{cls.__module__}.{cls.__qualname__}"
