"""PyTorch's own answers: for each line of standard input (`{"graph": FX JSON, "inputs": [tensor]}`)
a line with `{"outputs": [tensor]}` or `{"error": text}`; a tensor is
`{shape, dtype, data: base64}`.
"""

import base64
import functools
import inspect
import json
import operator
import sys

import torch

DTYPES = {"float32": torch.float32, "int64": torch.int64, "bool": torch.bool}


def decoded(tensor):
    data = bytearray(base64.b64decode(tensor["data"]))
    return torch.frombuffer(data, dtype=DTYPES[tensor["dtype"]]).reshape(tensor["shape"])


def encoded(tensor):
    name = str(tensor.dtype).removeprefix("torch.")
    data = tensor.detach().contiguous().numpy().tobytes()
    return {"shape": list(tensor.shape), "dtype": name, "data": base64.b64encode(data).decode()}


def function(target):
    root, *path = target.split(".")
    return functools.reduce(getattr, path, {"torch": torch, "operator": operator}[root])


def module(entry, tensors):
    kind = function(entry["type"])
    known = inspect.signature(kind.__init__).parameters
    settings = {name: value for name, value in entry["attrs"].items() if name in known}
    if "bias" in known and "weight" in entry["tensors"]:
        settings["bias"] = "bias" in entry["tensors"]
    layer = kind(**settings).eval()
    for name, key in entry["tensors"].items():
        getattr(layer, name).data = decoded(tensors[key])
    return layer


def argument(value, env, index=False):
    """`index`: a list is a tuple there, as the brackets of Python make it."""
    if isinstance(value, list):
        items = [argument(item, env) for item in value]
        return tuple(items) if index else items
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "node":
        return env[content]
    if kind == "slice":
        return slice(*[argument(part, env) for part in content])
    if kind == "ellipsis":
        return ...
    if kind == "dtype":
        return DTYPES[content]
    return {key: argument(item, env) for key, item in content.items()}


def leaves(value):
    if isinstance(value, torch.Tensor):
        return [value]
    items = value.values() if isinstance(value, dict) else value
    return [leaf for item in items for leaf in leaves(item)]


def outputs(graph, inputs):
    env = {}
    inputs = iter(inputs)
    for node in graph["nodes"]:
        op, target = node["op"], node["target"]
        if op == "placeholder":
            env[node["name"]] = decoded(next(inputs))
            continue
        args = [argument(a, env, index=target.endswith("item")) for a in node["args"]]
        kwargs = {key: argument(a, env) for key, a in node.get("kwargs", {}).items()}
        if op == "output":
            return leaves(args[0])
        if op == "call_module":
            call = module(graph["modules"][target], graph["tensors"])
        elif op == "call_method":
            call = getattr(args.pop(0), target)
        else:
            call = function(target)
        env[node["name"]] = call(*args, **kwargs)


torch.set_grad_enabled(False)
torch.set_num_threads(1)
for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = {"outputs": [encoded(t) for t in outputs(request["graph"], request["inputs"])]}
    except Exception as error:  # what PyTorch refuses is an answer, too
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
