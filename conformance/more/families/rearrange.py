"""Views, parts, joins, padding, and writes through views."""

import torch
import torch.nn.functional as F
from recording import Family
from torch import nn

case = Family("rearrange")

case("flip_forms", lambda x: (x.flip(0, 1), x.flip([0]), torch.flip(x, (-1,)), torch.fliplr(x),
                              torch.flipud(x)), "3,4")
case("chunk_uneven", lambda x: (x.chunk(4), x.chunk(4, -1)), "6,5")
case("chunk_of_one", lambda x: x.chunk(2)[0] + 1, "1,4")
case("split_forms", lambda x: (x.split(4), torch.split(x, [1, 2, 3]), x.split(2, dim=1)), "6,4")
case("split_into_one", lambda x: (x.split(6)[0] + 1, torch.chunk(x, 1)[0]), "6,4")
case("split_empty_part", lambda x: x.split([1, 0, 6]), "7,2")
case("tensor_split_forms", lambda x: (torch.tensor_split(x, 3), x.tensor_split((1, 4), dim=0),
                                      torch.hsplit(x, 2), torch.vsplit(x, [2])), "7,4")
case("unbind_forms", lambda x: (x.unbind(), torch.unbind(x, -1)), "2,3")
case("triangles_in_place", lambda x, y: (x.tril_(diagonal=1), y.triu_(-1), x + 0), "4,4", "4,4")
case("triangles", lambda x: (torch.tril(x), x.triu(diagonal=2), torch.tril(x, -1)), "i64 2,3,4")
case("triangles_of_bools", lambda x: (torch.tril(x), x.triu(1)), "b 3,4")
case("pad_circular", lambda x: F.pad(x, (2, 1), mode="circular"), "1,2,5")
case("pad_circular_negative", lambda x: F.pad(x, (2, -1), mode="circular"), "1,2,5")
case("pad_bools", lambda x: (F.pad(x, (1, 1), value=1), F.pad(x, (0, 2))), "b 2,3")
case("pad_forms", lambda x: (F.pad(x, (1, 2)), F.pad(x, (1, -1, 0, 2), value=1.5),
                             F.pad(x, (1, 1), "reflect"), F.pad(x, (2, 1), mode="replicate")),
     "2,3,4")
case("pad_images", lambda x: (F.pad(x, (1, 2, 2, 1), "reflect"), F.pad(x, (1, 0, 0, 3),
     "replicate"),
                              F.pad(x, (1, 0, 2, 0), "circular")), "1,2,4,5")
case("pad_ints", lambda x: F.pad(x, (1, 1, 1, 1), value=7), "i64 2,3")
case("cat_promotes", lambda x, y, z: (torch.cat([x, y]), torch.cat((x, z), 1), torch.cat([y, y])),
     "2,3", "i64 2,3", "f16 2,1")
case("cat_leaves_empty_out", lambda x, y: torch.cat([x, y], 0), "2,3", "0")
case("cat_negative_dim", lambda x, y: (torch.cat([x, y], -1), torch.concat([x, x], dim=-2),
                                       torch.cat([x, y], axis=1)), "2,3", "2,2")
case("stack_forms", lambda x, y: (torch.stack([x, y]), torch.stack((x, y), -1),
                                  torch.stack([x, y], dim=1)), "i64 2,3", "i64 2,3")
case("stacks", lambda x, y: (torch.hstack((x, y)), torch.vstack((x, y)), torch.dstack((x, y)),
                             torch.column_stack((x, y))), "3", "3")
case("permute_forms", lambda x: (x.permute(-1, 0, -2), torch.permute(x, (2, 0, 1)),
                                 x.permute(dims=(1, 0, 2)), x.movedim(0, 2),
                                 torch.movedim(x, (0, 1), (-1, 0)), x.swapaxes(0, 1)), "i64 2,3,4")
case("transpose_forms", lambda x: (x.transpose(-1, -2), torch.transpose(x, dim0=0, dim1=2), x.mT,
                                   x.adjoint()), "f16 2,3,4")
case("transpose_matrix", lambda x: (x.t(), x.T, torch.t(x) @ x), "2,3")
case("expand_forms", lambda x: (x.expand(2, 3, 4), x.expand(-1, 4), x.expand((2, -1, 4))), "3,1")
case("expand_zero_d", lambda x: (x.expand(2, 3), x.reshape(1), x.unsqueeze(0), x.ravel()), "f32")
case("broadcast_tensors", lambda x, y: torch.broadcast_tensors(x, y), "3,1", "2,1,4")
case("squeeze_forms", lambda x: (x.squeeze(), x.squeeze(0), x.squeeze(-1), x.squeeze(1),
                                 torch.squeeze(x, (0, -1))), "i64 1,3,1")
case("unflatten_forms", lambda x: (x.unflatten(1, (2, 3)), x.unflatten(-1, (-1, 3)),
                                   torch.unflatten(x, dim=0, sizes=(2, -1, 1))), "4,6")
case("view_as", lambda x, y: (x.view_as(y), x.reshape_as(y), x.flatten(), x.view(-1, 2)), "2,6",
     "3,4")
case("view_other_sizes", lambda x: x.view(x.size(0), 2, x.size(-1) // 2).flatten(1), "3,8")
case("at_least", lambda x, y: (torch.atleast_1d(x), torch.atleast_2d(y), torch.atleast_3d(y)),
     "f32", "3")
case("roll_forms", lambda x: (x.roll(1), torch.roll(x, shifts=(1, 2), dims=(0, -1)), x.roll(-1, 0),
                              x.roll(7, 1)), "i64 3,4")
case("roll_empty", lambda x: x.roll(1, 0), "0,4")
case("rot90", lambda x: (torch.rot90(x), x.rot90(2), torch.rot90(x, -1, (1, 0))), "3,4")
case("diagonal_forms", lambda x: (torch.diagonal(x, 0, 1, 2), x.diagonal(5),
                                  torch.diagonal(x, offset=-1, dim1=0, dim2=2)), "2,3,3")
case("diag_forms", lambda x, y: (torch.diag(x), torch.diag(y), torch.diag(y, 1),
                                 torch.diag_embed(x, offset=1), torch.trace(y)), "3", "3,4")
case("repeat_forms", lambda x: (x.repeat(2, 1, 2), x.repeat(x.shape[0], 1), torch.tile(x, (2,)),
                                torch.repeat_interleave(x, 2, dim=1), x.repeat_interleave(3)),
     "i64 2,3")
case("shuffles", lambda x: (F.pixel_unshuffle(x, 2), F.channel_shuffle(x, 2)), "1,4,4,6")
case("shuffle_and_back", lambda x: (F.pixel_shuffle(x, 2), F.pixel_unshuffle(F.pixel_shuffle(x, 2),
     2)),
     "2,8,2,3")
case("kron", lambda x, y: torch.kron(x, y), "2,3", "3,2")
case("symbolic", lambda x: (x.flip(0), x.roll(1, 1), torch.cat([x, x], 0), x.t()), "n,4",
     sizes={"n": (3, 5)})
case("empty", lambda x: (x.flip(0), x.t(), x.reshape(4, 0), torch.cat([x, x]), x.repeat(1, 2)),
     "0,4")
for name, make in {
    "ReflectionPad2d": lambda: nn.ReflectionPad2d((1, 2, 0, 1)),
    "ReplicationPad2d": lambda: nn.ReplicationPad2d(2),
    "CircularPad2d": lambda: nn.CircularPad2d((1, 0, 2, 1)),
    "ConstantPad2d": lambda: nn.ConstantPad2d((1, -1, 2, 0), 3.5),
    "ZeroPad2d": lambda: nn.ZeroPad2d(1), "ChannelShuffle": lambda: nn.ChannelShuffle(2),
    "PixelUnshuffle": lambda: nn.PixelUnshuffle(2),
    "Unflatten": lambda: nn.Unflatten(1, (2, 2)), "Flatten": lambda: nn.Flatten(0, -2),
}.items():
    case.module(name, make, "1,4,4,6")


def _parts(x):
    y = x * 2
    a, c = y.chunk(2)[0], y.chunk(2)[1]
    a.add_(1)
    return y, a, c


def _rows(x):
    y = x * 2
    rows = y.unbind(1)
    rows[0].relu_()
    rows[2].add_(5.0)
    return y, rows[0], rows[1], rows[2]


def _transposed(x):
    y = x * 2
    z = y.t()
    z.add_(1.0)
    w = y.view(-1)
    w.mul_(2.0)
    return y, z, w


def _on_the_diagonal(x):
    y = x * 2
    z = y.diagonal(1)
    z.add_(10.0)
    y.mul_(0.5)
    return y, z


def _copies(x):
    y = x * 2
    z = y.t().contiguous()
    z.add_(1.0)
    return y, z


def _chain(x):
    y = x * 2
    u = y.view(2, 2, 6)
    w = u.permute(2, 0, 1)
    w.mul_(3.0)
    q = u.view(-1)
    q.add_(1.0)
    return y, u, w, q


def _unflattened(x):
    y = x * 2
    z = y.movedim(0, 1).unflatten(0, (2, 3))
    z.add_(1.0)
    return y


def _bools(x):
    y = x > 0
    z = y.diagonal()
    z.logical_not_()
    return y


for write in (_parts, _rows, _transposed, _on_the_diagonal, _copies, _chain, _unflattened, _bools):
    case("write" + write.__name__, write, "4,6")
