"""Products, einsum, attention, resizing."""

import torch
import torch.nn.functional as F
from recording import HALF, INF, Family
from torch import nn

case = Family("contraction")
attend = F.scaled_dot_product_attention
# Halves that are summed as halves, which TVM's text asks for.
SUMMED = (1e-2, 1e-2)
ROWS = torch.tensor([[True, False, False], [False] * 3, [True] * 3])

case("attention_two_axes", lambda q, k, v: attend(q, k, v), "3,4", "5,4", "5,6")
case("attention_three_axes", lambda q, k, v: attend(q, k, v, is_causal=True), "2,3,4", "2,3,4",
     "2,3,4")
case("attention_five_axes", lambda q, k, v: attend(q, k, v), "2,1,2,3,4", "2,1,2,3,4", "2,1,2,3,4")
case("attention_scale", lambda q, k, v: attend(q, k, v, scale=0.25), "2,2,3,4", "2,2,5,4",
     "2,2,5,6")
case("attention_bool_mask", lambda q, k, v, a: attend(q, k, v, attn_mask=a), "2,2,3,4", "2,2,5,4",
     "2,2,5,6", "b 3,5")
case("attention_blind_row", lambda q, k, v, a: attend(q, k, v, attn_mask=a), "2,2,3,4", "2,2,3,4",
     "2,2,3,4", ROWS)
case("attention_float_mask", lambda q, k, v, a: attend(q, k, v, a), "2,2,3,4", "2,2,3,4", "2,2,3,4",
     torch.zeros(3, 3).masked_fill(~ROWS, -INF)[[0, 2, 2]])
case("attention_mask_of_three_axes", lambda q, k, v, a: attend(q, k, v, attn_mask=a), "2,3,4",
     "2,3,4", "2,3,4", "b 2,1,3")
case("attention_grouped", lambda q, k, v: attend(q, k, v, enable_gqa=True), "2,4,3,4", "2,2,3,4",
     "2,2,3,4")
case("attention_grouped_mask", lambda q, k, v, a: attend(q, k, v, attn_mask=a, enable_gqa=True),
     "2,4,3,4", "2,2,3,4", "2,2,3,4", ROWS)
case("attention_batches_broadcast", lambda q, k, v: attend(q, k, v), "2,2,3,4", "1,2,5,4",
     "1,2,5,4")
case("attention_float16", lambda q, k, v: attend(q, k, v), "f16 1,2,3,4", "f16 1,2,3,4",
     "f16 1,2,3,4", tol=SUMMED)

_EIGHT = "2,3,8"
case("mha_self", lambda m, x: m.it(x, x, x), _EIGHT,
     modules=lambda: {"it": nn.MultiheadAttention(8, 2, batch_first=True)})
case("mha_no_weights", lambda m, x: m.it(x, x, x, need_weights=False)[0], "3,2,8",
     modules=lambda: {"it": nn.MultiheadAttention(8, 2)})
case("mha_each_head", lambda m, x: m.it(x, x, x, average_attn_weights=False), "3,2,8",
     modules=lambda: {"it": nn.MultiheadAttention(8, 4, bias=False)})
case("mha_cross", lambda m, q, k, v: m.it(q, k, v), _EIGHT, "2,5,4", "2,5,6",
     modules=lambda: {"it": nn.MultiheadAttention(8, 2, kdim=4, vdim=6, batch_first=True)})
case("mha_without_batch", lambda m, x: m.it(x, x, x), "3,8",
     modules=lambda: {"it": nn.MultiheadAttention(8, 2)})
case("mha_masks", lambda m, x, p, a: m.it(x, x, x, p, True, a), _EIGHT,
     torch.tensor([[False, False, True], [False, False, False]]),
     torch.triu(torch.ones(3, 3), 1).bool(),
     modules=lambda: {"it": nn.MultiheadAttention(8, 2, batch_first=True)})
case("mha_float_mask", lambda m, x, a: m.it(x, x, x, attn_mask=a, need_weights=False), _EIGHT,
     "3,3",
     modules=lambda: {"it": nn.MultiheadAttention(8, 2, batch_first=True)})

for name, subscripts, inputs in [
    ("batch", "bij,bjk->bik", ["2,3,4", "2,4,5"]), ("outer", "i,j->ij", ["3", "4"]),
    ("implicit", "ij,jk", ["3,4", "4,5"]), ("three", "ij,jk,kl->il", ["2,3", "3,4", "4,2"]),
    ("ellipsis", "...ij,...jk->...ik", ["2,1,3,4", "3,4,5"]),
    ("ellipsis_summed", "...i->i", ["2,3,4"]),
    ("transpose", "ijk->kij", ["2,3,4"]), ("sum", "ij->", ["3,4"]),
    ("diagonal", "bii->bi", ["2,3,3"]), ("trace_ints", "ii", ["i32 3,3"]),
    ("spaces", " b i , i j -> b j ", ["2,3", "3,4"]), ("size_one", "ij,ij->i", ["3,1", "3,4"]),
    ("float16", "ij,jk->ik", ["f16 3,4", "f16 4,2"]),
]:
    scope = {"torch": torch, "S": subscripts}
    names = ", ".join("xyz"[: len(inputs)])
    case("einsum_" + name, eval(f"lambda {names}: torch.einsum(S, {names})", scope), *inputs,
         tol=SUMMED if name == "float16" else None)
case("einsum_sublists", lambda x, y: torch.einsum(x, [0, 1], y, [1, 2], [2, 0]), "3,4", "4,5")

case("addmm_forms", lambda a, x, y: (torch.addmm(a, x, y, beta=0.5, alpha=2), a.addmm(x, y),
                                     torch.addmm(a, x, y, alpha=0)), "5", "3,4", "4,5")
case("addmm_beta_zero", lambda a, x, y: torch.addmm(a, x, y, beta=0), torch.full((5,), INF), "3,4",
     "4,5")
case("addmm_ints", lambda a, x, y: torch.addmm(a, x, y, alpha=2), "i64 3,5", "i64 3,4", "i64 4,5")
case("addmm_float16", lambda a, x, y: torch.addmm(a, x, y), "f16 5", "f16 3,4", "f16 4,5",
     tol=SUMMED)
case("baddbmm_forms", lambda a, x, y: (torch.baddbmm(a, x, y, beta=2), torch.addbmm(a[0], x, y)),
     "2,3,5", "2,3,4", "2,4,5")
case("addmv_addr", lambda v, x, w: (torch.addmv(v, x, w, alpha=0.5), torch.addr(x, v, w, beta=2)),
     "3", "3,4", "4")
case("matmul_ranks", lambda x, y, v: (x @ y, x @ v, v @ y, v @ v, torch.matmul(x[0], y)), "2,3,4",
     "4,4", "4")
case("matmul_broadcast", lambda x, y: torch.matmul(x, y), "2,1,3,4", "5,4,2")
case("matmul_ints", lambda x, y: (x @ y, torch.mm(x, y)), "i64 3,4", "i64 4,2")
case("matmul_float16", lambda x, y: x @ y, "f16 3,4", "f16 4,2", tol=SUMMED)
case("matmul_float64", lambda x, y: x @ y, "f64 3,4", "f64 4,2")
case("matmul_empty", lambda x, y: (x @ y, y @ x), "3,0", "0,3")
case("matmul_symbolic", lambda x, y: x @ y.t(), "n,4", "k,4", sizes={"n": (3, 1), "k": (2, 5)})
case("products", lambda x, y: (torch.dot(x, y), torch.inner(x, y), torch.vdot(x, y), x.outer(y),
                               torch.ger(x, y)), "4", "4")
case("tensordot_one", lambda x, y: torch.tensordot(x, y, dims=1), "2,3,4", "4,5")
case("tensordot_axes", lambda x, y: torch.tensordot(x, y, dims=([0, 2], [1, 0])), "2,3,4", "4,2,5")
case("chains", lambda x, y, z: (torch.linalg.multi_dot([x, y, z]), torch.chain_matmul(x, y, z)),
     "2,3", "3,4", "4,2")
case("linear_forms", lambda x, w, b: (F.linear(x, w), F.linear(x, w, bias=b), F.linear(x[0], w, b)),
     "2,3,4", "5,4", "5")
case("bilinear", lambda x, y, w, b: F.bilinear(x, y, w, b), "2,3", "2,4", "5,3,4", "5")
case.module("Linear_float_input_of_one_axis", lambda: nn.Linear(4, 3), "4")
case.module("Bilinear", lambda: nn.Bilinear(3, 4, 2), "5,3", "5,4")

for name, shape, settings in [
    ("nearest_factor", "2,3,7", {"scale_factor": 1.7}),
    ("nearest_two_factors", "1,2,4,5", {"scale_factor": (0.7, 2.3)}),
    ("nearest_size", "1,1,10,9", {"size": (3, 7)}),
    ("nearest_larger", "1,1,5,3", {"size": (11, 13)}),
    ("nearest_volume", "1,1,2,3,2", {"scale_factor": 2}),
    ("nearest_exact", "1,2,4,5", {"scale_factor": 2.3, "mode": "nearest-exact"}),
    ("linear", "2,3,7", {"scale_factor": 1.6, "mode": "linear"}),
    ("linear_corners", "1,3,5", {"size": 9, "mode": "linear", "align_corners": True}),
    ("bilinear_factor", "1,2,4,5", {"scale_factor": (0.6, 1.1), "mode": "bilinear"}),
    ("bilinear_size", "1,2,4,5", {"size": (7, 3), "mode": "bilinear"}),
    ("bilinear_corners", "1,2,4,5", {"size": (7, 9), "mode": "bilinear", "align_corners": True}),
    ("bilinear_recomputed", "1,2,4,5",
     {"scale_factor": 1.3, "mode": "bilinear", "recompute_scale_factor": True}),
    ("bicubic_factor", "1,2,4,5", {"scale_factor": 1.1, "mode": "bicubic"}),
    ("bicubic_size", "1,1,4,5", {"size": (8, 10), "mode": "bicubic"}),
    ("trilinear", "1,2,3,3,2", {"scale_factor": 1.7, "mode": "trilinear"}),
    ("area", "1,2,5,7", {"size": (3, 4), "mode": "area"}),
    ("area_line", "2,3,7", {"scale_factor": 0.5, "mode": "area"}),
]:
    case("resize_" + name, eval("lambda x: F.interpolate(x, **S)", {"F": F, "S": settings}), shape)
case("resize_float16", lambda x: F.interpolate(x, scale_factor=1.3, mode="bilinear"),
     "f16 1,2,3,4", tol=HALF)
case("resize_uint8", lambda x: F.interpolate(x, scale_factor=2), "u8 1,2,3,4")
case.module("Upsample", lambda: nn.Upsample(scale_factor=1.5, mode="bilinear"), "1,2,4,6")
case.module("Upsample_corners", lambda: nn.Upsample((5, 7), mode="bilinear", align_corners=True),
            "1,2,4,6")
case.module("Upsample_line", lambda: nn.Upsample(scale_factor=2, mode="nearest"), "1,2,5")
case.module("UpsamplingBilinear2d", lambda: nn.UpsamplingBilinear2d(scale_factor=2), "1,2,3,4")
case.module("UpsamplingNearest2d", lambda: nn.UpsamplingNearest2d(size=(5, 3)), "1,2,3,4")
