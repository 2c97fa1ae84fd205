"""Sums, extremes, statistics, norms, scans, sorting, searching."""

import torch
from recording import HALF, INF, NAN, Family

case = Family("reduction")
SPECIAL = torch.tensor([[1., NAN, 3.], [-INF, -INF, -INF], [INF, 2., -1.], [0., -0., 0.]])

case("max_of_minus_infinity", lambda x: (x.max(), x.amax(1), torch.max(x, 0)[0]),
     torch.full((3, 4), -INF))
case("min_of_infinity", lambda x: (x.min(), x.amin(1), torch.min(x, 0)[0]), torch.full((3, 4), INF))
case("extremes_nan", lambda x: (torch.max(x, 1), torch.min(x, 1), x.amax(1), x.argmax(1),
                                x.argmin(0), torch.max(x)), SPECIAL)
case("sums_nan", lambda x: (x.sum(1), x.mean(0), x.nansum(1), x.nanmean(1), x.prod(1)), SPECIAL)
case("max_forms", lambda x: (x.max(), torch.max(x, 1), x.max(dim=-1, keepdim=True), x.min(0)),
     "i64 4,6")
case("max_of_ints_and_bools", lambda x, y: (x.amax(), y.amax(1), y.any(), y.max()), "i32 4,6",
     "b 4,6")
case("aminmax", lambda x: (torch.aminmax(x, dim=1), torch.aminmax(x)), "4,6")
case("argmax_ties", lambda x: (x.argmax(), x.argmax(1), x.argmin(dim=0, keepdim=True)),
     torch.tensor([[3, 1, 3], [0, 0, 0], [2, 5, 5]]))
case("bucketize_nan", lambda x, edges: (torch.bucketize(x, edges),
                                        torch.bucketize(x, edges, right=True)),
     torch.tensor([NAN, 0., 1., -5., 9., INF]), torch.tensor([-1., 0., 1., 4.]))
case("bucketize_ints", lambda x, edges: torch.bucketize(x, edges, out_int32=True), "i64 4,6",
     torch.tensor([-5, -1, 0, 3, 7]))
case("searchsorted_rows", lambda s, x: (torch.searchsorted(s, x),
                                        torch.searchsorted(s, x, right=True)),
     torch.tensor([[1., 3., 5., 7.], [2., 4., 6., 8.]]), "f32+ 2,3")
case("mean_of_nothing", lambda x: (x.mean(0), x.sum(0), x.prod(0), torch.mean(x)), "0,4")
case("var_of_nothing", lambda x: (x.var(0, correction=0), x.sum()), "0,4")
case("scans_of_ints", lambda x, y: (x.cumsum(0), x.cumprod(1), y.cumsum(-1), y.prod(), x.prod(1)),
     "i32 3,4", "b 3,4")
case("sums_of_ints", lambda x, y: (x.sum(), y.sum(1), x.sum(0, dtype=torch.float32),
                                   y.float().mean(), x.sum((0, 1), keepdim=True)), "i32 3,4",
     "b 3,4")
case("sums_of_uint8", lambda x: (x.sum(), x.sum(1), x.cumsum(0), x.prod(1)), "u8 3,4")
case("float16", lambda x: (x.sum(), x.mean(1), x.var(1), x.cumsum(1), x.std()), "f16 4,6", tol=HALF)
case("float16_many", lambda x: (x.sum(), x.mean()), torch.full((4096,), 0.1, dtype=torch.float16),
     tol=HALF)
case("statistics", lambda x: (x.var(), x.var(1, unbiased=False), torch.var(x, 0, correction=2),
                              x.std((0, 1), keepdim=True), torch.std(x, -1, False)), "4,6")
case("statistics_with_mean", lambda x: (torch.var_mean(x, 1), torch.std_mean(x, dim=0,
                                                                             unbiased=False)),
     "4,6")
case("variance_symbolic", lambda x: (x.var(0), x.std(), x.mean(0)), "n,4", sizes={"n": (3, 7)})
case("norms", lambda x: (torch.norm(x), x.norm(p=1, dim=1), torch.norm(x, dim=0, keepdim=True),
                         x.norm(INF, dim=1), torch.norm(x, p=3, dim=(0, 1)),
                         x.norm(-INF, 1)), "4,6")
case("norm_zero", lambda x: (torch.norm(x, p=0), x.norm(0, dim=1)),
     torch.tensor([[0., 1., 0.], [2., 3., 0.]]))
case("norm_dtype", lambda x: torch.norm(x, p=2, dim=1, dtype=torch.float64), "4,6")
case("linalg_norms", lambda x: (torch.linalg.vector_norm(x), torch.linalg.vector_norm(x, 3, dim=1),
                                torch.linalg.norm(x), torch.linalg.norm(x, dim=1)), "4,6")
case("all_any", lambda x, y: (x.all(), x.any(1), torch.all(y, 0), torch.any(y), y.all(-1, True)),
     "b 4,6", "i64<2 4,6")
case("count_nonzero", lambda x: (torch.count_nonzero(x), torch.count_nonzero(x, dim=1)),
     "i64<2 4,6")
case("logsumexp", lambda x: (torch.logsumexp(x, 1), x.logsumexp((0, 1)),
                             torch.logsumexp(x, -1, keepdim=True)), "4,6")
case("logsumexp_infinite", lambda x: torch.logsumexp(x, 1),
     torch.tensor([[-INF, -INF], [1000., 1000.], [INF, 0.]]))
case("scans", lambda x: (x.cumsum(1), torch.cumprod(x, 0), x.cumsum(-2, dtype=torch.float64),
                         torch.logcumsumexp(x, 1)), "3,4")
case("scan_extremes", lambda x: (torch.cummax(x, 1), torch.cummin(x, 0)), "i64 4,6")
case("sort_forms", lambda x: (torch.sort(x, 0), x.sort(descending=True), x.argsort(1),
                              torch.msort(x)), "4,6")
case("sort_nan", lambda x: (torch.sort(x, 1)[0], torch.sort(x, 1, descending=True)[0]),
     torch.tensor([[1., NAN, 3., -INF], [INF, 2., NAN, 0.]]))
case("sort_of_ints_is_stable", lambda x: (torch.sort(x, stable=True),
                                          torch.argsort(x, stable=True)), "i64<4 12")
case("topk_forms", lambda x: (torch.topk(x, 2), x.topk(3, dim=0), x.topk(1, largest=False)), "4,6")
case("kthvalue_median", lambda x: (torch.kthvalue(x, 2)[0], x.median(), x.median(1)[0]), "4,7")
case("isin", lambda x, y: (torch.isin(x, y), torch.isin(x, y, invert=True)), "i64 4,6", "i64 5")
case("of_zero_d", lambda x: (x.sum(), x.mean(), x.max(), x.cumsum(0), x.argmax(), x.norm()), "f32")
case("numpys_names", lambda x: (torch.sum(x, axis=1), torch.mean(x, axis=(0, 1), keepdims=True),
                                torch.amax(x, axis=0)), "3,4")
case("several_dims", lambda x: (x.sum((0, -1)), x.mean((1, 2)), x.amax((0, 2)), x.sum([]),
                                x.var((0, 2))), "2,3,4")
case("symbolic", lambda x: (x.sum(0), x.max(1)[0], x.argmax(1), x.cumsum(0), x.norm(dim=1)), "n,4",
     sizes={"n": (3, 5)})
case("distances", lambda x, y: torch.cdist(x, y), "3,4", "5,4", tol=(1e-4, 1e-4))
