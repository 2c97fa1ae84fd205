"""Python values as the JSON values of the format: FX arguments and module settings."""

from __future__ import annotations

import inspect
import math
from typing import Any, Dict, Iterator, List, Union

import torch
from torch import fx, nn

from .errors import ExportError
from .names import class_name, dtype_name

Json = Union[None, bool, int, float, str, List[Any], Dict[str, Any]]


def _last_name(value: object) -> str:
    """``torch.contiguous_format`` as ``contiguous_format``."""
    return str(value).rpartition(".")[2]


def encode(value: Any, where: str) -> Json:
    """One FX argument, or one setting of a module, as JSON.

    Args:
        value: what FX recorded; lists and tuples may nest.
        where: names the node (or module) in the error's message.

    Raises:
        ExportError: the format has no form for the value.
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise ExportError(f"{where}: the integer {value} does not fit in 64 bits")
        return int(value)
    if isinstance(value, float):
        if math.isnan(value):
            return {"float": "nan"}
        if math.isinf(value):
            return {"float": "inf" if value > 0 else "-inf"}
        return float(value)
    if isinstance(value, fx.Node):
        return {"node": value.name}
    if isinstance(value, slice):
        return {"slice": [encode(part, where) for part in (value.start, value.stop, value.step)]}
    if value is Ellipsis:
        return {"ellipsis": True}
    if isinstance(value, torch.dtype):
        return {"dtype": dtype_name(value)}
    if isinstance(value, torch.device):
        return {"device": str(value)}
    if isinstance(value, torch.memory_format):
        return {"memory_format": _last_name(value)}
    if isinstance(value, torch.layout):
        return {"layout": _last_name(value)}
    if isinstance(value, (list, tuple)):  # torch.Size and FX's immutable_list among them
        return [encode(item, where) for item in value]
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise ExportError(f"{where}: a dict whose keys are not all strings")
        return {"dict": {key: encode(item, where) for key, item in value.items()}}
    raise ExportError(
        f"{where}: a value of type {type(value).__name__} cannot be written: {value!r}"
    )


# Settings that an instance has and its constructor does not name.
_MORE_SETTINGS = {
    "torch.nn.PairwiseDistance": ("norm",),
    "torch.nn.RNN": ("nonlinearity",),
    "torch.nn.ReLU6": ("min_val", "max_val"),
    "torch.nn.UpsamplingBilinear2d": ("mode", "align_corners"),
    "torch.nn.UpsamplingNearest2d": ("mode",),
}
# What the constructor takes and the layer does not need once its weight exists.
_NOT_SETTINGS = {"torch.nn.PReLU": ("init",)}


def _constructor_parameters(cls: type) -> Iterator[str]:
    """The names of a constructor's parameters; where it takes any, also those of its base class."""
    for base in cls.__mro__:
        if "__init__" not in vars(base):
            continue
        parameters = list(inspect.signature(base.__init__).parameters.values())[1:]
        yield from (parameter.name for parameter in parameters)
        if base is nn.Module or not any(
            parameter.kind is inspect.Parameter.VAR_POSITIONAL for parameter in parameters
        ):
            return


def module_settings(module: nn.Module) -> dict[str, Json]:
    """The plain settings of a leaf module.

    They are the constructor's parameters (``nn.LSTM``'s are those of its base class), as far as the
    instance keeps them under the same name and they are values of the format. That holds for all
    of ``torch.nn``, so no table of classes has to follow torch's releases.
    """
    cls = type(module)
    names = [*_constructor_parameters(cls), *_MORE_SETTINGS.get(class_name(cls), ())]
    settings: dict[str, Json] = {}
    for name in names:
        if name in _NOT_SETTINGS.get(class_name(cls), ()):
            continue
        if name in module._parameters or name in module._buffers or name in module._modules:
            continue  # a tensor or a module, also where it is None: not a setting
        if not hasattr(module, name):
            continue
        value = getattr(module, name)
        if isinstance(value, torch.Tensor) or callable(value):
            continue
        try:
            settings[name] = encode(value, name)
        except ExportError:
            continue  # nothing the format could say; a translator that needs it will ask for it
    return settings
