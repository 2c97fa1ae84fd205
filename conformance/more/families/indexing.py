"""Reading and writing by keys, positions and masks; embeddings."""

import torch
import torch.nn.functional as F
from recording import Family, setitem
from torch import nn

case = Family("indexing")
ROWS = torch.tensor([2, 0, -1])


def _meshgrid_read(x, y):
    first, second = torch.meshgrid(x, y, indexing="xy")
    return first * 2, second.sum(0), first + second


case("negative_keys", lambda x: (x[-1], x[:, -2], x[..., -1], x[-3:-1], x[1, -1]), "4,6")
case("steps", lambda x: (x[::2], x[:, 1::2], x[3:1], x[..., None], x[None, 1:3]), "4,6")
case("three_axes", lambda x: (x[1, :, 2], x[..., 1:, 0], x[0], x[:, None, -1]), "3,4,5")
case("scalar_result", lambda x: (x[0, 0], x[-1][-1]), "i64 4,6")
case("tensor_key", lambda x, i: (x[i], x[:, i], x[i, 1:3], x[i, 0]), "4,6", ROWS)
case("tensor_key_between", lambda x, i: (x[:, i], x[1, i], x[:, i, :2], x[..., i]), "3,4,5", ROWS)
case("tensor_key_two_axes", lambda x, i: (x[i], x[:, i], x[:, :, i], x[:, i, 1:]), "3,4,5",
     torch.tensor([[0, 1], [-1, 2]]))
case("tensor_key_zero_d", lambda x, i: (x[i], x[:, i], x[i, 1:3]), "4,6", torch.tensor(2))
case("two_tensor_keys", lambda x, i, j: (x[i, j], x[i, :, j], x[:, i, j]), "4,4,4", ROWS,
     torch.tensor([1, -2, 0]))
case("two_keys_broadcast", lambda x, i, j: x[i, j], "4,4", torch.tensor([[0], [2]]),
     torch.tensor([1, 3, -1]))
case("list_key", lambda x: (x[[0, 2]], x[:, [1, -1, 0]]), "4,6")
case("narrow_forms", lambda x: (x.narrow(1, 2, 3), torch.narrow(x, 0, 1, 2), x.narrow(-1, -3, 2)),
     "4,6")
case("select_forms", lambda x: (x.select(1, -1), torch.select(x, 0, 2), x.select(dim=-1, index=0)),
     "4,6")
case("take_forms", lambda x, i: (torch.take(x, i), x.take(i), torch.index_select(x, 1, i.abs())),
     "4,6", torch.tensor([3, -1, 0]))
case("gather_forms", lambda x, i: (torch.gather(x, 1, i), x.gather(0, i),
                                   x.gather(-1, index=i)), "4,6", "i64<4 3,2")
case("take_along_dim", lambda x, i: torch.take_along_dim(x, i, dim=1), "4,6", "i64<4 4,2")
case("gather_three_axes", lambda x, i: torch.gather(x, -1, i), "2,3,4", "i64<4 2,2,5")
case("index_select_int32", lambda x, i: x.index_select(0, i), "4,6",
     torch.tensor([1, 3, 0], dtype=torch.int32))
case("embedding_forms", lambda i, w: (F.embedding(i, w), F.embedding(i[0], w, padding_idx=1)),
     "i64<5 2,3", "5,4")
case("embedding_bag_forms", lambda i, w: (F.embedding_bag(i, w), F.embedding_bag(i, w, mode="sum"),
                                          F.embedding_bag(i, w, mode="max")), "i64<5 2,3", "5,4")
case.module("Embedding_padding", lambda: nn.Embedding(5, 3, padding_idx=0), "i64<5 2,4")
case.module("Embedding_zero_d", lambda: nn.Embedding(5, 3), "i32<5")
case.module("EmbeddingBag", lambda: nn.EmbeddingBag(5, 3, mode="mean"), "i64<5 2,4")
case("one_hot", lambda i: (F.one_hot(i, 5), F.one_hot(i, num_classes=7)), "i64<5 2,3")
case("meshgrid_read", _meshgrid_read, "3", "4")
case("meshgrid_three", lambda x, y, z: torch.meshgrid(x, y, z, indexing="ij"), "2", "3", "1")
case("index_put_forms", lambda x, i, v: (x.index_put((i,), v),
                                         torch.index_put(x, (i,), v, accumulate=True)), "4,6",
     torch.tensor([2, 0]), "2,6")
case("index_put_broadcast", lambda x, i, v: x.index_put((i,), v), "4,6", torch.tensor([2, 0]), "6")
case("index_put_two", lambda x, i, j, v: x.index_put((i, j), v), "4,6", torch.tensor([0, 2, -1]),
     torch.tensor([1, 5, 0]), "3")
case("scatter_smaller", lambda x, i, s: (x.scatter(0, i, s), x.scatter(1, i, s)), "4,6",
     torch.tensor([[0, 1, 2], [3, 0, 1]]), "2,3")
case("scatter_number", lambda x, i: (x.scatter(1, i, 1.5), torch.scatter(x, 0, i, value=-2.0)),
     "4,6", torch.tensor([[0, 1, 2], [3, 0, 1]]))
case("scatter_reduced", lambda x, i, s: (x.scatter(1, i, s, reduce="add"),
                                         x.scatter(1, i, s, reduce="multiply"),
                                         x.scatter_add(1, i, s)), "4,6",
     torch.tensor([[0, 1, 1], [3, 3, 3]]), "2,3")
case("scatter_reduce_forms", lambda x, i, s: (x.scatter_reduce(1, i, s, reduce="sum"),
                                              x.scatter_reduce(1, i, s, "amax"),
                                              x.scatter_reduce(1, i, s, "prod",
                                                               include_self=True)), "4,6",
     torch.tensor([[0, 1, 1], [3, 3, 3]]), "2,3")
case("index_add_forms", lambda x, i, s: (x.index_add(0, i, s), x.index_add(0, i, s, alpha=2)),
     "4,6", torch.tensor([1, 1, 3]), "3,6")
case("index_copy_fill", lambda x, i, s: (x.index_copy(0, i, s), x.index_fill(1, i, 0.5)), "4,6",
     torch.tensor([1, 3, 0]), "3,6")
case("select_scatter", lambda x, s: (torch.select_scatter(x, s, 1, -1), x.select_scatter(s, 1, 0)),
     "4,6", "4")
case("diagonal_scatter", lambda x, s: torch.diagonal_scatter(x, s, 1), "4,5", "4")
case("slice_scatter_forms", lambda x, s: (torch.slice_scatter(x, s, 0, 1, 3),
                                          x.slice_scatter(s, dim=0, start=0, end=4, step=2)),
     "4,6", "2,6")
case("slice_scatter_end", lambda x, s: torch.slice_scatter(x, s, 1, start=-2), "4,6", "4,2")
case("masked_scatter_wide", lambda x, m, s: x.masked_scatter(m, s), "3,4",
     torch.tensor([False, True, True, False]), "4,4")
case("masked_scatter_late", lambda x, m, s: x.masked_scatter(m, s), "6",
     torch.tensor([False, False, True, False, True, True]), "3")
case("put", lambda x, i, v: (x.put(i, v), x.put(i, v, accumulate=True)), "3,4",
     torch.tensor([1, -1, 5]), "3")


def _set(*keys):
    def write(x, v):
        y = x * 1
        for key in keys:
            setitem(y, key, v)
        return y + 0, x
    return write


case("set_row", _set(1, -1), "4,6", "6")
case("set_slice", _set((slice(None), slice(1, 5, 2))), "4,6", "4,2")
case("set_ellipsis", _set((..., 0)), "2,3,4", "2,3")
case("set_element", _set((0, 0), (-1, -1)), "4,6", "f32")
case("set_none", _set((None, 2)), "4,6", "1,6")


def _set_number(x):
    y = x * 1
    setitem(y, (slice(1, 3), -1), 7)
    setitem(y, 0, -1.5)
    return y


def _set_mask(x, m):
    y = x * 1
    setitem(y, m, 0.0)
    setitem(y, y > 1, -3.0)
    return y


def _set_through_view(x):
    y = x * 1
    row = y[2]
    block = y[:, 1:3]
    setitem(row, slice(0, 2), 5.0)
    block.mul_(-1)
    return y, row, block


def _set_positions(x, i, v):
    y = x * 1
    setitem(y, i, v)
    setitem(y, (slice(None), i), 9.0)
    return y


def _get_then_set(x):
    y = x * 1
    first = y[0].clone()
    setitem(y, 0, y[1])
    setitem(y, 1, first)
    return y


case("set_number", _set_number, "4,6")
case("set_mask", _set_mask, "4,6", "b 4,6")
case("set_through_view", _set_through_view, "4,6")
case("set_positions", _set_positions, "4,6", torch.tensor([2, 0]), "2,6")
case("swap_rows", _get_then_set, "4,6")
case("getitem_symbolic", lambda x: (x[1:], x[:, -1], x[0]), "n,4", sizes={"n": (3, 5)})
case("gather_symbolic", lambda x, i: (x[i], x.index_select(0, i)), "n,4", "i64<3 k",
     sizes={"n": (3, 5), "k": (2, 6)})
case("size_of_symbolic", lambda x: x.view(x.size(0), 2, 2).flatten(1) * 2, "n,4",
     sizes={"n": (3, 5)})
case("read_empty", lambda x: (x[:0], x[2:2, 1], x[..., 4:]), "3,4")
