"""Reads FX graph JSON back into a torch.fx GraphModule: the tests' proof that nothing was lost."""

from __future__ import annotations

import base64
import importlib
import inspect
from types import MappingProxyType
from typing import Any, Callable, Mapping

import torch
from torch import fx, nn


class CannotRebuild(Exception):
    """The installed torch lacks a function or a class, or its constructor differs."""


def _resolve(name: str) -> Any:
    """The object of a qualified name: the longest module that imports, then attributes."""
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:cut]))
        except ImportError:
            continue
        try:
            for part in parts[cut:]:
                value = getattr(value, part)
        except AttributeError:
            break
        return value
    raise CannotRebuild(name)


def _decode(value: Any, nodes: dict[str, fx.Node]) -> Any:
    if isinstance(value, list):
        return tuple(_decode(item, nodes) for item in value)
    if not isinstance(value, dict):
        return value
    ((form, inner),) = value.items()
    forms: dict[str, Callable[[], Any]] = {
        "node": lambda: nodes[inner],
        "slice": lambda: slice(*_decode(inner, nodes)),
        "ellipsis": lambda: Ellipsis,
        "dtype": lambda: getattr(torch, inner),
        "device": lambda: torch.device(inner),
        "memory_format": lambda: getattr(torch, inner),
        "layout": lambda: getattr(torch, inner),
        "float": lambda: float(inner),
        "dict": lambda: {key: _decode(item, nodes) for key, item in inner.items()},
    }
    return forms[form]()


def _tensor(entry: dict[str, Any]) -> torch.Tensor:
    dtype = getattr(torch, entry["dtype"])
    if not entry.get("data"):
        return torch.zeros(entry["shape"], dtype=dtype)
    raw = bytearray(base64.b64decode(entry["data"]))
    return torch.frombuffer(raw, dtype=dtype).reshape(entry["shape"])


def _module(entry: dict[str, Any], tensors: dict[str, torch.Tensor]) -> nn.Module:
    cls = _resolve(entry["type"])
    settings = {key: _decode(value, {}) for key, value in entry["attrs"].items()}
    accepted = inspect.signature(cls.__init__).parameters
    arguments = {key: value for key, value in settings.items() if key in accepted}
    if "bias" in accepted:
        arguments["bias"] = any(name.endswith("bias") for name in entry["tensors"])
    try:
        module = cls(**arguments)
    except (TypeError, ValueError) as error:
        raise CannotRebuild(f"{entry['type']}: {error}") from error
    for name, _ in module.named_parameters():
        if name not in entry["tensors"]:  # LayerNorm has had a choice about its bias since 2.1
            raise CannotRebuild(f"{entry['type']} without {name}")
    for name in list(module._buffers):
        if name not in entry["tensors"]:
            setattr(module, name, None)
    for name, key in entry["tensors"].items():
        _place(module, name, tensors[key])
    return module


def _place(root: nn.Module, path: str, value: Any) -> None:
    """Set ``root.a.b`` to a tensor or a module, making the modules on the way."""
    *folders, name = path.split(".")
    for folder in folders:
        if not hasattr(root, folder):
            root.add_module(folder, nn.Module())
        root = getattr(root, folder)
    if isinstance(value, nn.Module):
        root.add_module(name, value)
        return
    if name not in root._parameters and name not in root._buffers and hasattr(root, name):
        raise CannotRebuild(f"{path} is taken")
    if isinstance(value, nn.Parameter):
        root._buffers.pop(name, None)
        root.register_parameter(name, value)
    else:
        root._parameters.pop(name, None)
        root.register_buffer(name, value)


def rebuild(
    graph: dict[str, Any], more: Mapping[str, torch.Tensor] = MappingProxyType({})
) -> fx.GraphModule:
    """The GraphModule that the JSON describes; ``more`` holds tensors that stand in a file.

    Missing tensors are zeros.

    Raises:
        CannotRebuild: the installed torch has no such function, class or setting.
    """
    tensors: dict[str, torch.Tensor] = {}
    for name, entry in graph["tensors"].items():
        tensor = more[name] if name in more else _tensor(entry)
        if entry.get("kind", "parameter") == "parameter":
            tensor = nn.Parameter(tensor, requires_grad=False)
        tensors[name] = tensor
    root, result, nodes = nn.Module(), fx.Graph(), {}
    for path, entry in graph["modules"].items():
        _place(root, path, _module(entry, tensors))
    for entry in graph["nodes"]:
        args = tuple(_decode(value, nodes) for value in entry.get("args", ()))
        kwargs = {key: _decode(value, nodes) for key, value in entry.get("kwargs", {}).items()}
        target = entry["target"]
        if entry["op"] == "call_function":
            target = _resolve(target)
        elif entry["op"] == "get_attr":
            _place(root, target, tensors[entry.get("tensor", target)])
        nodes[entry["name"]] = result.create_node(
            entry["op"], target, args, kwargs, name=entry["name"]
        )
    return fx.GraphModule(root, result, graph.get("name", "GraphModule")).eval()
