"""Write PyTorch models as FX graph JSON, which fx2wasm compiles to WebAssembly.

    import fx2wasm
    graph = fx2wasm.export(model, [(1, 784)], "mlp.fx.json")
    print(graph)

``python -m fx2wasm file.py:Model --input 1,784 -o mlp.fx.json`` does the same from a shell.
"""

from .errors import ExportError, TraceError
from .graph import FORMAT_VERSION, FxGraph, export
from .tensorfile import read_safetensors, write_safetensors
from .trace import trace

__version__ = "0.1.0"
__all__ = [
    "FORMAT_VERSION",
    "ExportError",
    "FxGraph",
    "TraceError",
    "export",
    "read_safetensors",
    "trace",
    "write_safetensors",
]
