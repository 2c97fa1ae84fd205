"""Functions of one tensor element by element, bounds, activations."""

import torch
import torch.nn.functional as F
from recording import HALF, INF, NAN, Family
from torch import nn

case = Family("unary")

case("of_ints", lambda x: (torch.exp(x), torch.erf(x), torch.sin(x), x.tanh(), torch.sigmoid(x)),
     "i64 4,6")
case("reciprocal_of_ints", lambda x: (torch.reciprocal(x), x.log2(), torch.atan(x)), "i32+ 4,6")
case("of_bools", lambda x: (torch.exp(x), torch.sqrt(x), torch.square(x), torch.sign(x)), "b 4,6")
case("square_forms", lambda x: (x.square(), torch.square(x)), "b 4")
case("sign_forms", lambda x: (torch.sign(x), x.sgn(), torch.signbit(x)),
     torch.tensor([0., -0., 2., -3., INF, -INF]))
case("uint8", lambda x: (torch.neg(x), x.clamp(2, 5), torch.clip(x, min=3), torch.bitwise_not(x)),
     "u8 4,6")
case("clamp_int_float", lambda x: (x.clamp(0.5, 2.5), torch.clamp(x, max=1.5)), "i64 4,6")
case("clamp_crossed", lambda x: (x.clamp(2, -1), torch.clamp(x, min=1.0, max=-1.0)), "4,6")
case("clamp_int_one_bound", lambda x: (x.clamp(min=-2), x.clamp(max=3), x.clamp_min(1),
                                       torch.clamp_max(x, 0)), "i64 4,6")
case("clamp_beyond_dtype", lambda x: (x.clamp(-1000, 1000), x.clamp(min=-300)), "i8 4,6")
case("clamp_wider_bound", lambda x, lo: torch.clamp(x, min=lo), "6", "4,6")
case("clamp_wider_bound_symbolic", lambda x, lo: torch.clamp(x, min=lo), "6", "n,6",
     sizes={"n": (4, 2)})
case("clamp_tensors", lambda x, lo, hi: (torch.clamp(x, lo, hi), x.clip(lo, hi)), "4,6", "6", "4,1")
case("clamp_nan", lambda x: (x.clamp(-1, 1), x.relu(), F.relu6(x), F.hardtanh(x)),
     torch.tensor([NAN, 1., -7., INF, -INF, 9.]))
case("rounding", lambda x: (x.floor(), x.ceil(), x.round(), x.trunc(), x.frac(), torch.fix(x)),
     torch.tensor([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.3, -0.3]))
case("rounding_of_ints", lambda x: (x.floor(), torch.ceil(x), x.round(), torch.trunc(x)), "i64 4,6")
case("round_decimals", lambda x: (torch.round(x, decimals=1), x.round(decimals=-1)), "4,6")
case("abs_forms", lambda x: (torch.abs(x), x.absolute(), -x, +x, torch.negative(x)), "i32 4,6")
case("logarithms", lambda x: (x.log(), x.log2(), x.log10(), x.log1p(), torch.logit(x, eps=0.1)),
     torch.tensor([0.1, 0.5, 0.9, 0.01, 0.99, 0.3]))
case("logarithms_at_the_edge", lambda x: (x.log(), x.log1p(), x.sqrt(), x.rsqrt()),
     torch.tensor([0., -0., -1., INF, NAN, -0.5]))
case("exponentials", lambda x: (x.exp(), x.exp2(), x.expm1(), torch.erf(x), torch.erfc(x)), "4,6")
case("expm1_small", lambda x: (torch.expm1(x), torch.log1p(x)),
     torch.tensor([1e-7, -1e-7, 1e-4, 0., 1e-30]))
case("hyperbolic", lambda x: (x.sinh(), x.cosh(), x.tanh(), x.asinh(), (x.abs() + 1).acosh()),
     "4,6")
case("arcs", lambda x: (torch.arcsin(x), torch.acos(x), x.arctan(), x.arctanh()),
     torch.tensor([-1., -0.5, 0., 0.25, 0.75, 1.]))
case("degrees", lambda x: (torch.deg2rad(x), torch.rad2deg(x), torch.sinc(x)), "4,6")
case("tests_of_values", lambda x: (x.isnan(), x.isinf(), x.isfinite(), torch.isposinf(x),
                                   torch.isneginf(x)),
     torch.tensor([NAN, INF, -INF, 0., 1.]))
case("tests_of_ints", lambda x: (torch.isnan(x), torch.isinf(x), torch.isfinite(x)), "i64 4")
case("nan_to_num", lambda x: (torch.nan_to_num(x), x.nan_to_num(1.0, posinf=5.0, neginf=-5.0)),
     torch.tensor([NAN, INF, -INF, 0., 1.]))
case("float16", lambda x: (x.exp(), x.tanh(), F.gelu(x), x.sigmoid(), F.silu(x), F.softplus(x)),
     "f16 4,6", tol=HALF)
case("float64", lambda x: (x.exp(), x.sin(), x.tanh(), F.gelu(x)), "f64 4,6")
case("zero_d", lambda x: (x.exp(), F.relu(x), x.clamp(0, 1), F.softmax(x, 0), x.log_softmax(0)),
     "f32")
case("empty", lambda x: (x.exp(), F.relu(x), F.softmax(x, 1)), "0,4")
case("symbolic", lambda x: (x.exp(), F.gelu(x), F.softmax(x, -1), F.leaky_relu(x, 0.2)), "n,4",
     sizes={"n": (3, 5)})
case("softmax_dtype", lambda x: (F.softmax(x, 1, dtype=torch.float64), x.softmax(dim=0),
                                 F.log_softmax(x, dim=-1, dtype=torch.float32)), "f16 4,6",
                                 tol=HALF)
case("softmax_masked", lambda x: (F.softmax(x, 1), F.log_softmax(x, 1)),
     torch.tensor([[-INF, 1., 2.], [-INF, -INF, 0.], [1000., 1000., -1000.]]))
case("softmin", lambda x: F.softmin(x, 1), "4,6")
case("prelu_zero_d", lambda x, w: F.prelu(x, w), "f32", "1")
case("prelu_slope_zero_d", lambda x, w: F.prelu(x, w), "4,6", "f32")
case("prelu_of_float16", lambda x, w: torch.prelu(x, w), "f16 2,3,4", "f16 3", tol=HALF)
case("activations", lambda x: (F.mish(x), F.softsign(x), F.tanhshrink(x), F.logsigmoid(x),
                               F.hardshrink(x, 0.7), F.softshrink(x, 0.3)), "4,6")
case("activations_with_settings", lambda x: (F.elu(x, 0.5), F.celu(x, alpha=2.0), F.selu(x),
                                             F.leaky_relu(x, negative_slope=0.3),
                                             F.threshold(x, 0.5, -1.0),
                                             F.hardtanh(x, -0.5, 0.75),
                                             F.softplus(x, 2.0, 5.0)), "4,6")
case("celu_negative_alpha", lambda x: F.celu(x, -1.5), "4,6")
case("glu_forms", lambda x: (F.glu(x), F.glu(x, 0), F.glu(x, dim=-2)), "4,6")
case("gelu_forms", lambda x: (F.gelu(x), F.gelu(x, approximate="tanh"), F.silu(x)), "2,3,4")
case("rrelu_evaluated", lambda x: F.rrelu(x, 0.1, 0.3), "4,6")
case("special_functions", lambda x: (torch.special.expit(x), torch.special.erf(x),
                                     torch.special.exp2(x)), "4,6")
for name, make in {
    "ELU_alpha": lambda: nn.ELU(0.3), "CELU_alpha": lambda: nn.CELU(1.7),
    "Hardtanh": lambda: nn.Hardtanh(-0.3, 0.8), "GELU_tanh": lambda: nn.GELU("tanh"),
    "Softplus": lambda: nn.Softplus(3.0, 2.0), "Softshrink": lambda: nn.Softshrink(0.4),
    "Hardshrink": lambda: nn.Hardshrink(0.4), "Threshold": lambda: nn.Threshold(0.1, 20.0),
    "LogSigmoid": nn.LogSigmoid, "Mish": nn.Mish, "Softsign": nn.Softsign,
    "Tanhshrink": nn.Tanhshrink, "GLU": lambda: nn.GLU(1), "Softmin": lambda: nn.Softmin(1),
    "RReLU": nn.RReLU,
}.items():
    case.module(name, make, "2,4,3")
case.module("Softmax2d", nn.Softmax2d, "2,3,2,2")




def _modules_in_place(m, x):
    y = x * 2
    m.relu(y)
    z = y + 1
    m.tanh6(z)
    return y, z


case("modules_in_place", _modules_in_place, "4,6",
     modules=lambda: {"relu": nn.ReLU(inplace=True), "tanh6": nn.ReLU6(inplace=True)})


def _functions_in_place(x):
    y = x.abs() + 0.5
    y.sqrt_().neg_()
    F.elu(y, inplace=True)
    y.clamp_(max=-0.25)
    F.relu(x, inplace=True)
    return y, x


case("functions_in_place", _functions_in_place, "4,6")
