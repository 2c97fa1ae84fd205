"""From a recorded graph to the JSON object: nodes, leaf modules, tensors."""

from __future__ import annotations

import base64
import json
import operator
import os
from pathlib import Path
from typing import Any, Dict, Iterator, Mapping, Optional, Tuple, Union

import torch
from torch import fx, nn

from .encode import Json, encode, module_settings
from .errors import ExportError
from .inputs import Inputs, match_inputs
from .names import class_name, dtype_name, function_name
from .tensorfile import tensor_bytes, write_safetensors
from .trace import trace

#: The version of the format that is written.
FORMAT_VERSION = 1

PathLike = Union[str, "os.PathLike[str]"]


class FxGraph(Dict[str, Any]):
    """The JSON object as a dict; ``str()`` of it is the text that the page and the tool read."""

    def __str__(self) -> str:
        """One node, module or tensor a line, which keeps the text readable and a diff small."""

        def line(value: Json) -> str:
            return json.dumps(value, allow_nan=False)

        fields = []
        for key, value in self.items():
            if key == "nodes":
                text = "[\n" + ",\n".join("    " + line(node) for node in value) + "\n  ]"
            elif key in ("modules", "tensors") and value:
                entries = (f"    {line(name)}: {line(entry)}" for name, entry in value.items())
                text = "{\n" + ",\n".join(entries) + "\n  }"
            else:
                text = line(value)
            fields.append(f"  {line(key)}: {text}")
        return "{\n" + ",\n".join(fields) + "\n}\n"

    def save(self, path: PathLike) -> None:
        """Write the text to a file."""
        Path(path).write_text(str(self), encoding="utf-8")


class _Tensors:
    """The tensors met so far, each under one name: a tied tensor keeps its first."""

    def __init__(self, owner: nn.Module) -> None:
        self._parameters = {id(tensor): name for name, tensor in owner.named_parameters()}
        self._buffers = {id(tensor): name for name, tensor in owner.named_buffers()}
        self._names: dict[int, str] = {}
        self.by_name: dict[str, torch.Tensor] = {}

    def add(self, tensor: torch.Tensor, name: str) -> str:
        """Note a tensor; returns the name that it stands under."""
        key = id(tensor)
        if key not in self._names:
            if tensor.layout != torch.strided or tensor.is_quantized or tensor.is_meta:
                raise ExportError(f"the tensor {name} is sparse, quantized or without data")
            kept = self._parameters.get(key, self._buffers.get(key, name))
            self._names[key] = kept
            self.by_name[kept] = tensor
        return self._names[key]

    def describe(self, name: str) -> dict[str, Json]:
        """The entry of the field ``tensors``, without data."""
        tensor = self.by_name[name]
        entry: dict[str, Json] = {"shape": list(tensor.shape), "dtype": dtype_name(tensor.dtype)}
        if id(tensor) not in self._parameters:
            entry["kind"] = "buffer" if id(tensor) in self._buffers else "constant"
        return entry


def _attribute(root: nn.Module, node: fx.Node) -> torch.Tensor:
    value: Any = root
    for part in str(node.target).split("."):
        if not hasattr(value, part):
            raise ExportError(f"node {node.name}: the model has no attribute {node.target}")
        value = getattr(value, part)
    if not isinstance(value, torch.Tensor):
        raise ExportError(
            f"node {node.name}: the attribute {node.target} is a {type(value).__name__}, no tensor"
        )
    return value


def _held_tensors(module: nn.Module) -> Iterator[Tuple[str, torch.Tensor]]:
    """Parameters and buffers by their name in the module, tied ones under each of their names."""
    for prefix, part in module.named_modules(remove_duplicate=False):
        for held in (part._parameters, part._buffers):
            for name, tensor in held.items():
                if tensor is not None:
                    yield (f"{prefix}.{name}" if prefix else name), tensor


def _leaf(module: nn.Module, path: str, tensors: _Tensors) -> dict[str, Json]:
    """The entry of the field ``modules``."""
    if module._forward_hooks or module._forward_pre_hooks or hasattr(module, "parametrizations"):
        raise ExportError(
            f"module {path}: it has forward hooks or parametrizations (weight_norm and its like), "
            f"which a graph does not hold; remove them first, e.g. by remove_weight_norm"
        )
    return {
        "type": class_name(type(module)),
        "attrs": module_settings(module),
        "tensors": {
            name: tensors.add(tensor, f"{path}.{name}") for name, tensor in _held_tensors(module)
        },
    }


def _arguments(node: fx.Node) -> Tuple[Any, ...]:
    """The positional arguments; a list as a key stands in a tuple of its own.

    The format writes lists and tuples alike, and ``x[[0, 2]]`` is not ``x[0, 2]`` but, by PyTorch's
    rules, ``x[[0, 2],]``.
    """
    if node.target in (operator.getitem, operator.setitem) and isinstance(node.args[1], list):
        return (node.args[0], (node.args[1],), *node.args[2:])
    return node.args


def _node(node: fx.Node, tensors: _Tensors, root: nn.Module) -> dict[str, Json]:
    """The entry of the field ``nodes``, without ``meta``."""
    where = f"node {node.name}"
    target = function_name(node.target) if callable(node.target) else str(node.target)
    entry: dict[str, Json] = {"op": node.op, "name": node.name, "target": target}
    if node.args:
        entry["args"] = [encode(value, where) for value in _arguments(node)]
    if node.kwargs:
        entry["kwargs"] = {key: encode(value, where) for key, value in node.kwargs.items()}
    if node.op == "get_attr":
        kept = tensors.add(_attribute(root, node), target)
        if kept != target:
            entry["tensor"] = kept
    return entry


def _weights_name(weights: PathLike, path: Optional[PathLike]) -> str:
    """How the JSON names the weights file: as seen from the JSON's own folder."""
    if path is None:
        return Path(weights).name
    folder = os.path.dirname(os.path.abspath(path))
    return Path(os.path.relpath(os.path.abspath(weights), folder)).as_posix()


def export(
    model: Union[nn.Module, fx.GraphModule],
    inputs: Inputs,
    path: Optional[PathLike] = None,
    weights: PathLike = "inline",
    *,
    concrete_args: Optional[Mapping[str, Any]] = None,
    name: Optional[str] = None,
) -> FxGraph:
    """Write a model as FX graph JSON, version 1.

    The model is never run on data: ``torch.fx`` records ``forward`` (in evaluation mode, unless
    the model is a GraphModule already), and the record is written down.

    Args:
        model: a module, or a GraphModule that was traced already.
        inputs: one entry per input, in forward's order or as a dict by argument name: an example
            tensor, a shape ``(1, 784)`` (float32), a pair ``((5,), "int64")``, or text
            ``"5:int64"``. A dimension that is a name, ``("n", 784)``, may have any size when the
            model runs. A lone input may stand without a list. Arguments of forward with a default
            can be left out.
        path: where to write the JSON text; without it, nothing but the weights is written.
        weights: ``"inline"`` puts every tensor into the JSON (base64), ``"none"`` leaves them out,
            and a path that ends in ``.safetensors`` writes them to that file, which the JSON names.
        concrete_args: arguments of forward that are settings, fixed to a plain value.
        name: the graph's name; by default the name of the model's class.

    Returns:
        The JSON object, a dict; ``str()`` of it is the text.

    Raises:
        TraceError: the model cannot be recorded; the message says where, why and what to do.
        ExportError: an input, an argument or a tensor is of a kind that the format does not have.
    """
    to_file = weights not in ("inline", "none")
    if to_file and not str(weights).endswith(".safetensors"):
        raise ExportError(
            f"weights: {weights!r} is neither 'inline' nor 'none' nor a path ending in .safetensors"
        )
    graph_module = trace(model, concrete_args)
    # Asked of the original: tracing turns its plain tensor attributes into buffers of the copy.
    tensors = _Tensors(model)

    placeholders = [node for node in graph_module.graph.nodes if node.op == "placeholder"]
    types = match_inputs(inputs, [str(node.target) for node in placeholders])
    for node in placeholders:
        if str(node.target) not in types and not node.args:
            raise ExportError(f"inputs: nothing describes the input {node.target!r}")

    nodes, modules = [], {}
    for node in graph_module.graph.nodes:
        entry = _node(node, tensors, graph_module)
        if node.op == "placeholder" and str(node.target) in types:
            shape, dtype = types[str(node.target)]
            entry["meta"] = {"shape": shape, "dtype": dtype}
        if node.op == "call_module" and node.target not in modules:
            leaf = graph_module.get_submodule(str(node.target))
            modules[node.target] = _leaf(leaf, str(node.target), tensors)
        nodes.append(entry)

    entries = {key: tensors.describe(key) for key in tensors.by_name}
    if weights == "inline":
        for key, tensor in tensors.by_name.items():
            entries[key]["data"] = base64.b64encode(tensor_bytes(tensor)).decode("ascii")
    result = FxGraph(
        fx_graph=FORMAT_VERSION,
        name=name or type(graph_module).__name__,
        nodes=nodes,
        modules=modules,
        tensors=entries,
    )
    if to_file:
        write_safetensors(weights, tensors.by_name)
        result["weights"] = _weights_name(weights, path)
    if path is not None:
        result.save(path)
    return result
