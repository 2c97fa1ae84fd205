"""Tensors as bytes, and the safetensors files that hold them.

The format is a length, a JSON header and raw bytes, so its reader and writer are shorter here than
the reasons for another dependency: with only torch needed, the exporter runs wherever the model
does, also on Debian's own python3-torch, without pip.
"""

from __future__ import annotations

import json
import os
import struct
from typing import Mapping, Union

import torch

from .errors import ExportError
from .names import DTYPES, dtype_name

_CODE = {
    "float16": "F16", "bfloat16": "BF16", "float32": "F32", "float64": "F64",
    "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64",
    "uint8": "U8", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "bool": "BOOL",
}  # fmt: skip
_NAME_OF_CODE = {code: name for name, code in _CODE.items()}


def tensor_bytes(tensor: torch.Tensor) -> bytes:
    """The elements in row-major order, little-endian (as every platform of torch is)."""
    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype == torch.bfloat16:
        tensor = tensor.view(torch.int16)  # numpy has no bfloat16; the bytes are the same
    return tensor.numpy().tobytes()


def write_safetensors(
    path: Union[str, "os.PathLike[str]"], tensors: Mapping[str, torch.Tensor]
) -> None:
    """Write named tensors as a safetensors file.

    The widest elements come first and the data starts at a multiple of 8, so that every tensor is
    aligned for its dtype and a reader can map the file.
    """
    order = sorted(tensors, key=lambda name: (-tensors[name].element_size(), name))
    header, offset = {}, 0
    blobs = [tensor_bytes(tensors[name]) for name in order]
    for name, blob in zip(order, blobs):
        header[name] = {
            "dtype": _CODE[dtype_name(tensors[name].dtype)],
            "shape": list(tensors[name].shape),
            "data_offsets": [offset, offset + len(blob)],
        }
        offset += len(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        out.writelines(blobs)


def read_safetensors(path: Union[str, "os.PathLike[str]"]) -> dict[str, torch.Tensor]:
    """All tensors of a safetensors file.

    Raises:
        ExportError: the file is no safetensors file, or holds a dtype that torch lacks.
    """
    with open(path, "rb") as source:
        content = source.read()
    try:
        (length,) = struct.unpack_from("<Q", content)
        header = json.loads(content[8 : 8 + length])
        data = bytearray(content[8 + length :])  # writable, as torch wants its memory
        tensors = {}
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            dtype = DTYPES[_NAME_OF_CODE[entry["dtype"]]]
            begin, end = entry["data_offsets"]
            flat = (
                torch.frombuffer(data[begin:end], dtype=dtype)
                if end > begin
                else torch.empty(0, dtype=dtype)
            )
            tensors[name] = flat.reshape(entry["shape"])
    except (struct.error, ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
        raise ExportError(f"{os.fspath(path)}: not a safetensors file ({error!r})") from error
    return tensors
