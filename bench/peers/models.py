#!/usr/bin/env python3
"""Gives an example of ours to the peers: the same graph with the same weights, as they take it.

    python3 bench/peers/models.py OUT NAME...

For each examples/NAME it writes to OUT
  NAME.onnx      the network for onnxruntime-web, checked by onnx itself
  NAME.ops.json  the op list for TensorFlow.js: FX node, operator, inputs, settings, tensors, shape;
                 and how many floating-point operations one call needs
  NAME.f32       the first test images, as many as expected.json has scores for

Both come from one table of operators below, which covers what the examples use. An FX node that is
not in it stops the script: a peer never runs a smaller network than we do.
"""

from __future__ import annotations

import gzip
import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OPSET = 17
Json = dict[str, Any]


@dataclass
class Op:
    """One operator, in the words of both peers."""

    kind: str  # what page/adapters/tfjs.mjs calls it
    onnx_type: str
    onnx_attributes: Json = field(default_factory=dict)
    settings: Json = field(default_factory=dict)  # for TensorFlow.js
    reduced: Callable[[tuple[int, ...]], int] = lambda weight: 0  # products an output element sums


def pair(value: int | list[int]) -> list[int]:
    return [value, value] if isinstance(value, int) else list(value)


def conv2d(attrs: Json) -> Op:
    if attrs["padding_mode"] != "zeros" or isinstance(attrs["padding"], str):
        raise SystemExit("models.py: Conv2d only with a padding of zeros, in numbers")
    stride, padding = pair(attrs["stride"]), pair(attrs["padding"])
    dilation, groups = pair(attrs["dilation"]), attrs["groups"]
    if dilation != [1, 1] or groups != 1:
        raise SystemExit("models.py: Conv2d only without dilation and groups")
    return Op("conv2d", "Conv",
              {"kernel_shape": pair(attrs["kernel_size"]), "strides": stride, "pads": padding * 2},
              {"stride": stride, "padding": padding}, lambda weight: math.prod(weight[1:]))


def max_pool2d(attrs: Json) -> Op:
    kernel, padding = pair(attrs["kernel_size"]), pair(attrs["padding"])
    stride = pair(attrs["stride"])
    if attrs["ceil_mode"] or pair(attrs["dilation"]) != [1, 1] or padding != [0, 0]:
        raise SystemExit("models.py: MaxPool2d only without padding, dilation and ceil_mode")
    return Op("max_pool2d", "MaxPool", {"kernel_shape": kernel, "strides": stride},
              {"kernel": kernel, "stride": stride})


def flatten(attrs: Json) -> Op:
    if attrs["start_dim"] != 1 or attrs["end_dim"] != -1:
        raise SystemExit("models.py: Flatten only of all but the first dimension")
    return Op("flatten", "Flatten", {"axis": 1})


OPERATORS: dict[str, Callable[[Json], Op | None]] = {
    "torch.nn.Linear": lambda a: Op("linear", "Gemm", {"transB": 1}, {}, lambda weight: weight[1]),
    "torch.nn.Conv2d": conv2d,
    "torch.nn.ReLU": lambda a: Op("relu", "Relu"),
    "torch.nn.MaxPool2d": max_pool2d,
    "torch.nn.Flatten": flatten,
    "torch.nn.LogSoftmax": lambda a: Op("log_softmax", "LogSoftmax", {"axis": a["dim"]},
                                        {"axis": a["dim"]}),
    "torch.nn.Dropout": lambda a: None,  # the identity outside training
}


def read_safetensors(path: Path) -> dict[str, np.ndarray]:
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            raise SystemExit(f"models.py: {path}: {name} is {entry['dtype']}, not F32")
        begin, end = entry["data_offsets"]
        values = np.frombuffer(data[start + begin : start + end], "<f4")
        tensors[name] = values.reshape(entry["shape"])
    return tensors


@dataclass
class Network:
    """The FX graph with Dropout left out; `ops` pairs a list entry with its operator."""

    name: str
    input: Json
    output: str
    ops: list[tuple[Json, Op]]
    weights: dict[str, np.ndarray]


def read_network(name: str) -> Network:
    folder = EXAMPLES / name
    graph = json.loads((folder / f"{name}.fx.json").read_text())
    same_as: dict[str, str] = {}  # a node that does nothing → the node it passes on
    network = Network(name, {}, "", [], read_safetensors(folder / graph["weights"]))
    for node in graph["nodes"]:
        inputs = [same_as.get(a["node"], a["node"]) for a in node.get("args", [])]
        if node["op"] == "placeholder":
            network.input = {"name": node["name"], "shape": node["meta"]["shape"]}
        elif node["op"] == "output":
            network.output = inputs[0]
        elif node["op"] == "call_module" and (
            make := OPERATORS.get((module := graph["modules"][node["target"]])["type"])
        ):
            if op := make(module["attrs"]):
                entry = {"name": node["name"], "op": op.kind, "inputs": inputs, **op.settings,
                         "tensors": module["tensors"]}
                network.ops.append((entry, op))
            else:
                same_as[node["name"]] = inputs[0]
        else:
            raise SystemExit(f"models.py: {name}: no operator for {node['op']} {node['target']}")
    return network


def to_onnx(network: Network) -> onnx.ModelProto:
    nodes, used = [], []
    for entry, op in network.ops:
        tensors = [entry["tensors"][t] for t in ("weight", "bias") if t in entry["tensors"]]
        used += tensors
        nodes.append(helper.make_node(op.onnx_type, [*entry["inputs"], *tensors], [entry["name"]],
                                      name=entry["name"], **op.onnx_attributes))
    graph = helper.make_graph(
        nodes, network.name,
        [helper.make_tensor_value_info(network.input["name"], TensorProto.FLOAT,
                                       network.input["shape"])],
        [helper.make_tensor_value_info(network.output, TensorProto.FLOAT, None)],
        [numpy_helper.from_array(network.weights[t], t) for t in dict.fromkeys(used)])
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(graph, opset_imports=[opset], producer_name="fx2wasm bench",
                              ir_version=helper.find_min_ir_version_for([opset]))
    model = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True)
    onnx.checker.check_model(model, full_check=True)
    return model


def op_list(network: Network, model: onnx.ModelProto) -> Json:
    shapes = {
        value.name: [d.dim_value for d in value.type.tensor_type.shape.dim]
        for value in [*model.graph.value_info, *model.graph.output]
    }
    flop = 0
    for entry, op in network.ops:
        entry["shape"] = shapes[entry["name"]]
        if "weight" in entry["tensors"]:
            weight = network.weights[entry["tensors"]["weight"]].shape
            flop += 2 * math.prod(entry["shape"]) * op.reduced(weight)
    return {"name": network.name, "input": network.input, "output": network.output, "flop": flop,
            "ops": [entry for entry, _ in network.ops]}


def test_images(name: str) -> np.ndarray:
    expected = json.loads((EXAMPLES / name / "expected.json").read_text())
    packed = EXAMPLES / "fashion-mnist" / "t10k-images-idx3-ubyte.gz"
    pixels = np.frombuffer(gzip.decompress(packed.read_bytes()), np.uint8, offset=16)
    wanted = pixels.reshape(-1, 28 * 28)[: len(expected["first_scores"])]
    return (wanted.astype(np.float64) * expected["input"]["scale"]).astype("<f4")


def main() -> None:
    out, *names = sys.argv[1:]
    for name in names:
        network = read_network(name)
        model = to_onnx(network)
        target = Path(out)
        target.mkdir(parents=True, exist_ok=True)
        (target / f"{name}.onnx").write_bytes(model.SerializeToString())
        (target / f"{name}.ops.json").write_text(json.dumps(op_list(network, model), indent=1))
        (target / f"{name}.f32").write_bytes(test_images(name).tobytes())


if __name__ == "__main__":
    main()
