"""Recording a module's ``forward`` with ``torch.fx``, with errors a model's author can act on."""

from __future__ import annotations

import inspect
import linecache
import os
import re
import sysconfig
import traceback
from typing import Any, Iterator, Mapping, NoReturn, Optional

import torch
from torch import fx, nn

from .errors import ExportError, TraceError

_PROXY = (
    "torch.fx runs forward once, without data: each tensor is replaced by a proxy that only notes "
    "what is done to it."
)
_SIZE_METHODS = frozenset({"size", "dim", "ndimension", "numel", "nelement", "stride"})
_SIZE_ATTRIBUTES = frozenset({"shape", "ndim", "dtype", "device", "is_cuda", "requires_grad"})


class _Untraceable(Exception):
    """Raised by our tracer where FX would need a proxy's value."""

    def __init__(self, reason: str, advice: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.advice = advice


def _is_about_sizes(node: fx.Node) -> bool:
    """Whether the value follows from shapes and dtypes alone, not from a tensor's elements."""
    if node.op == "call_method" and node.target in _SIZE_METHODS:
        return True
    if node.target is getattr and node.args[1] in _SIZE_ATTRIBUTES:
        return True
    sources = node.all_input_nodes
    return bool(sources) and all(_is_about_sizes(source) for source in sources)


def _compared_inputs(node: fx.Node) -> Iterator[str]:
    """Names of the model's inputs that the value compares or passes on as they are."""
    if node.op == "placeholder":
        yield str(node.target)
    elif node.op == "call_function" and getattr(node.target, "__module__", "") == "_operator":
        for source in node.all_input_nodes:
            yield from _compared_inputs(source)


def _needs_truth(node: fx.Node) -> _Untraceable:
    """The explanation of a branch on a proxy."""
    constant = tuple(
        f"if `{name}` is a setting and not a tensor, fix its value: "
        f'export(model, inputs, concrete_args={{"{name}": ...}})'
        for name in dict.fromkeys(_compared_inputs(node))
    )
    if _is_about_sizes(node):
        return _Untraceable(
            f"control flow. {_PROXY} A proxy has no size yet either, so a test of it has no truth "
            f"value, and a graph has no branches to hold both outcomes (the value is the node "
            f"`{node.name}`).",
            (
                "the size is known when the model is built: move the test to __init__ and keep "
                "the outcome there, as a plain attribute such as self.in_channels",
                "if it only guards against wrong inputs, remove it: fx2wasm checks all shapes",
            )
            + constant,
        )
    return _Untraceable(
        f"control flow. {_PROXY} A proxy has no truth value, and a graph has no branches: which "
        f"way to go would depend on the data (the value is the node `{node.name}`).",
        constant
        + (
            "to choose between two results element by element, use "
            "torch.where(condition, a, b), which is recorded as one operator",
            "if the outcome is known when the model is built, move the test to __init__ and branch "
            "on a plain attribute; if it follows from an argument that is a setting, fix that by "
            "concrete_args",
            "otherwise export the parts before and after the branch as models of their own, and "
            "branch in the program that runs them",
        ),
    )


class _Tracer(fx.Tracer):
    """FX's tracer, except that it explains itself where a proxy is asked for its value."""

    def to_bool(self, obj: fx.Proxy) -> bool:
        raise _needs_truth(obj.node)

    def iter(self, obj: fx.Proxy) -> NoReturn:
        raise _Untraceable(
            f"control flow. {_PROXY} How often this loop runs would depend on the size of the "
            f"proxy, which is unknown (the value is the node `{obj.node.name}`).",
            (
                "loop over a count that is known when the model is built, range(self.steps), and "
                "index inside the loop: it is recorded unrolled",
                "to take apart a result of known length, assign it: a, b = x.chunk(2)",
                "if the loop goes over rows or elements, an operator on the whole tensor does it",
            ),
        )

    def keys(self, obj: fx.Proxy) -> NoReturn:
        raise _Untraceable(
            f"{_PROXY} Its keys are unknown, so `**` cannot spread it.",
            ("pass the tensors as arguments of their own",),
        )


def _explain(error: BaseException) -> tuple[str, tuple[str, ...]]:
    """Why an error that FX or the model raised stops the recording, and what to do."""
    text = str(error)
    if isinstance(error, RuntimeError) and text.startswith("'len' is not supported"):
        return (
            f"{_PROXY} Its length is unknown, and Python insists on an integer here.",
            (
                "use x.size(0), which is recorded, in place of len(x)",
                "or keep the length as a plain attribute from __init__",
            ),
        )
    if "Proxy" in text or "symbolically traced" in text:
        return (
            f"{_PROXY} Here it is used as if it were a number, an array or a value that is known "
            f"already ({type(error).__name__}: {text}).",
            (
                "keep to torch operators; int(), float(), range(), numpy and .tolist() need values",
                "if the number is known when the model is built, compute it in __init__ and keep "
                "it as a plain attribute",
                "if it follows from an argument that is a setting, fix the argument: "
                "export(model, inputs, concrete_args={...})",
            ),
        )
    return (
        f"forward raised {type(error).__name__}: {text}. {_PROXY}",
        (
            "run the model on an example first: if it raises the same error, the fault is there",
            "if not, the line depends on a value or a type that a proxy lacks: keep to torch "
            "operators, and compute what is known when the model is built in __init__",
        ),
    )


def _is_inside(path: str, folder: str) -> bool:
    return os.path.abspath(path).startswith(os.path.join(os.path.abspath(folder), ""))


def _users_frame(error: BaseException) -> Optional[traceback.FrameSummary]:
    """The innermost frame of the model's own code: not torch's, nor ours, nor a library's."""
    ours = (os.path.dirname(torch.__file__), os.path.dirname(__file__))
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not any(_is_inside(frame.filename, folder) for folder in ours)
        and not frame.filename.startswith("<eval_with_key>")
    ]
    paths = sysconfig.get_paths()
    libraries = {paths[key] for key in ("stdlib", "purelib", "platlib")}
    own = [
        frame
        for frame in frames
        if not any(_is_inside(frame.filename, folder) for folder in libraries)
        and "dist-packages" not in frame.filename
        and "site-packages" not in frame.filename
    ]
    frames = own or frames
    return frames[-1] if frames else None


def _trace_error(model: nn.Module, error: BaseException) -> TraceError:
    if isinstance(error, _Untraceable):
        reason, advice = error.reason, error.advice
    else:
        reason, advice = _explain(error)
    frame = _users_frame(error)
    headline = f"the forward of {type(model).__name__} cannot be recorded as an FX graph"
    if frame is None:
        return TraceError(headline, None, None, "", reason, advice)
    code = linecache.getline(frame.filename, frame.lineno or 0).strip()
    word = re.match(r"(if|elif|while|assert|for)\b", code)
    if word:
        headline += f": `{word.group(1)}` at this line (in {frame.name})"
    else:
        headline += f": this line (in {frame.name})"
    return TraceError(headline, frame.filename, frame.lineno, code, reason, advice)


def _drop_fixed(graph: fx.Graph, parameters: list[str], fixed: Mapping[str, Any]) -> None:
    """Remove the placeholders of fixed arguments, and FX's assertions that they keep their value.

    Nothing else can read them: the trace itself ran with the plain values.
    """
    placeholders = [node for node in graph.nodes if node.op == "placeholder"]
    doomed = {node for name, node in zip(parameters, placeholders) if name in fixed}
    for node in graph.nodes:
        if any(source in doomed for source in node.all_input_nodes):
            doomed.add(node)
    for node in reversed(list(graph.nodes)):
        if node in doomed:
            graph.erase_node(node)


def _arguments(model: nn.Module) -> tuple[list[str], list[str]]:
    """Forward's named arguments, in the order of FX's placeholders, and its ``*`` and ``**``."""
    named, open_ended = [], []
    for name, parameter in inspect.signature(model.forward).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            open_ended.append("*" + name)
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            open_ended.append("**" + name)
        else:
            named.append(name)
    return named, open_ended


def _open_ended(argument: str) -> ExportError:
    return ExportError(
        f"forward reads {argument}, any number of arguments; a graph has a fixed number of inputs, "
        f"so give each a name"
    )


def trace(model: nn.Module, concrete_args: Optional[Mapping[str, Any]] = None) -> fx.GraphModule:
    """Record ``model.forward`` as ``torch.fx.symbolic_trace`` does, in evaluation mode.

    The model is set to evaluation mode while it is recorded (dropout does nothing, batch norm uses
    its running statistics) and gets its own mode back.

    Args:
        model: any module; a GraphModule is returned as it is.
        concrete_args: arguments of ``forward`` by name that are settings rather than inputs, with
            the plain value they are fixed to. They are no inputs of the graph.

    Raises:
        TraceError: FX cannot record it, most often because of control flow on a tensor's value.
        ExportError: an argument in ``concrete_args`` does not exist or is no plain value.
    """
    if isinstance(model, fx.GraphModule):
        if concrete_args:
            raise ExportError("concrete_args: the model is a GraphModule, so it is traced already")
        return model
    if isinstance(model, torch.jit.ScriptModule) or not isinstance(model, nn.Module):
        raise ExportError(
            f"the model is a {type(model).__name__}; export takes a torch.nn.Module or a "
            f"torch.fx.GraphModule"
        )
    tracer = _Tracer()
    fixed = dict(concrete_args or {})
    signature, open_ended = _arguments(model)
    for name, value in fixed.items():
        if name not in signature:
            raise ExportError(
                f"concrete_args: forward has no argument {name!r}, only {', '.join(signature)}"
            )
        if value is not None and not isinstance(value, (bool, int, float, str)):
            raise ExportError(
                f"concrete_args: {name} is a {type(value).__name__}; only None, booleans, "
                f"numbers and strings can be fixed"
            )
    modes = [(module, module.training) for module in model.modules()]
    try:
        model.eval()
        graph = tracer.trace(model, fixed or None)
    except Exception as error:  # whatever forward does with a proxy ends here
        if open_ended and _users_frame(error) is None:
            raise _open_ended(open_ended[0]) from error
        raise _trace_error(model, error) from error
    finally:
        for module, training in modes:
            module.training = training
    _drop_fixed(graph, signature, fixed)
    for node in list(graph.nodes):
        if node.op == "placeholder" and str(node.target).startswith("*"):
            if node.users:
                raise _open_ended(str(node.target))
            graph.erase_node(node)
    return fx.GraphModule(tracer.root, graph, type(model).__name__)
