"""Arithmetic of two operands, comparisons, promotion, casts, creation."""

import torch
from recording import HALF, INF, NAN, Family

case = Family("binary")

case("add_int_float", lambda x: x + 1.5, "i64 4,6")
case("compare_int_float", lambda x: (x > 1.5, x == 2.0, x <= -0.5), "i64 4,6")
case("fmod_int_float", lambda x: torch.fmod(x, 1.5), "i64 8")
case("pow_int_half", lambda x: x ** 0.5, "i64<9 8")
case("atan2_ints", lambda x, y: torch.atan2(x, y), "i64! 4,6", "i32! 4,6")
case("div_ints", lambda x, y: (x / y, torch.true_divide(x, y), 3 / y), "i64 8,6", "i64! 6")
case("zero_d_double", lambda x, y: x + y, "f64", "f32 4")
case("zero_d_float_and_ints", lambda x, y: x * y, "f32", "i64 4")
case("item_of_double", lambda x, y: y + x.item(), "f64", "f32 4")
case("alpha_forms", lambda x, y: (torch.sub(x, y, alpha=3), torch.rsub(x, y, alpha=2),
                                  x.add(y, alpha=0.5), torch.add(x, 3, alpha=2)), "4,6", "4,1")
case("add_bools", lambda x, y: (x + y, x * y, torch.maximum(x, y), torch.minimum(x, y)),
     "b 4,6", "b 4,6")
case("mul_bool_int", lambda x, y: x * y, "b 4,6", "i64 6")
case("pow_ints", lambda x, y: x ** y, "i64 5,7", "i64<20 5,7")
case("pow_int_large", lambda x: (x ** 100, x ** 1, torch.pow(x, exponent=3)), "i64 8")
case("pow_scalar_base", lambda x: (2 ** x, torch.pow(3, x)), "i64<30 8")
case("pow_special", lambda x, y: x ** y,
     torch.tensor([0., -0., INF, -8., -8., 1., NAN, 0.]),
     torch.tensor([0., -1., 0., 1 / 3., 3., NAN, 0., -2.]))
case("to_forms", lambda x, y: (x.to(torch.int32), x.to(dtype=torch.float16), x.to(y),
                               x.to("cpu", torch.int64), x.to(y.dtype),
                               x.to(device="cpu", dtype=torch.float64)), "4,6", "i64 3")
case("casts_from_float", lambda x: (x.int(), x.long(), x.short(), x.bool(), x.double(), x.half()),
     "4,6")
case("casts_from_int", lambda x: (x.float(), x.half(), x.bool(), x.byte(), x.char()), "i64 4,6")
case("casts_from_bool", lambda x: (x.float(), x.int(), x.half(), x.long()), "b 4,6")
case("cast_bfloat16", lambda x: x.bfloat16().float() + 1, "4,6")
case("cast_is_the_tensor", lambda x: (x.float().add_(1), x + 0), "4,6")
case("to_copy_is_not", lambda x: (x.to(torch.float32, copy=True).add_(1), x + 0), "4,6")
case("type_forms", lambda x, y: (x.type_as(y), x.type("torch.LongTensor"), x.type(torch.float64)),
     "4,6", "f16 3")
case("like_forms", lambda x: (torch.zeros_like(x), torch.ones_like(x, dtype=torch.int64),
                              torch.zeros_like(x, dtype=torch.bool), x.new_zeros(2, 3),
                              x.new_zeros((2,), dtype=torch.int32), x.new_full((2,), 3),
                              x.new_tensor([1, 2, 3])), "f16 2,3")
case("full_like_forms", lambda x: (torch.full_like(x, 2), torch.full_like(x, INF),
                                   torch.full_like(x, 1.5, dtype=torch.float64),
                                   torch.full_like(x, 3, dtype=torch.int32)), "2,3")
case("item_of_one_by_one", lambda x, y: y * x.item(), "1,1", "4,6")
case("where_numbers", lambda x: (torch.where(x > 0, 1.0, 0.0), torch.where(x > 0, x, 0),
                                 torch.where(x > 0, 1, x)), "4,6")
case("where_promotes", lambda c, x, y: torch.where(c, x, y), "b 6", "f16 4,6", "f32 4,1")
case("where_int_and_float", lambda x: torch.where(x > 0, x, 0.5), "i64 4,6")
case("where_method", lambda x, y: (x.where(x > 0, y), x.where(condition=x > 0, other=y),
                                   torch.where(condition=x > 0, input=x, other=y)), "4,6", "6")
case("where_condition_broadcasts", lambda c, x: torch.where(c, x, -x), "b 3,4,6", "6")
case("masked_fill_forms", lambda x, m, v: (x.masked_fill(m, v), x.masked_fill(m, 2),
                                           torch.masked_fill(x, m, -INF)), "4,6", "b 6", "f32")
case("masked_fill_wider_mask", lambda x, m: torch.masked_fill(x, m, 3), "6", "b 4,6")
case("linspace_forms", lambda x: x + torch.linspace(2, x.size(0), x.size(0))
     + torch.linspace(2, 2, x.size(0)), "3")
case("linspace_empty", lambda x: torch.linspace(0, 1, x.size(0) - 3), "3")
case("arange_of_sizes", lambda x: (torch.arange(x.size(0)), torch.arange(1, x.size(1), 2),
                                   torch.arange(x.size(0), dtype=torch.float16),
                                   torch.arange(x.size(1), 0, -2), torch.arange(0.5, x.size(0))),
     "4,6")
case("known_values", lambda x: x + (x.shape == (4, 6)) * 2 + (x.dtype == torch.float32), "4,6")
case("size_arithmetic", lambda x: x.reshape(x.size(0) * 2, x.size(1) // 2) + (x.size(0) > 2)
     + x.size(1) % 4 + 2 ** x.size(0), "4,6")
case("clone_is_a_copy", lambda x: (x.clone(), x.add_(1), x.clone() * 2), "4,6")
case("mod_ints", lambda x, y: (x % y, torch.fmod(x, y), torch.remainder(x, -4), 7 % y),
     "i64 8,6", "i64! 8,6")
case("mod_floats", lambda x, y: (x % y, torch.fmod(x, y)), "8,6", "f32+ 8,6")
case("floor_divide_forms", lambda x, y: (x // y, x.floor_divide(y), x // -3,
                                         torch.div(x, y, rounding_mode="trunc"),
                                         torch.div(x, y, rounding_mode="floor")),
     "i64 8,6", "i64! 8,6")
case("floor_divide_floats", lambda x, y: (torch.floor_divide(x, y), x // 2), "8,6", "f32+ 8,6")
case("comparisons_by_name", lambda x, y: (torch.greater(x, y), torch.less_equal(x, y), x.less(y),
                                          torch.not_equal(x, y), x.greater_equal(y)), "4,6", "6")
case("compare_bools", lambda x, y: (x < y, x == True, x != 1), "b 8,6", "b 8,6")  # noqa: E712
case("bits", lambda x, y: (x & y, x | y, x ^ y, ~x, x << 2, x >> 1), "i64 8,6", "i32 8,6")
case("bits_of_bools", lambda x, y: (x & y, x | True, ~x, torch.bitwise_xor(x, y)), "b 8,6", "b 6")
case("shifts", lambda x, y: (x << y, x >> y, torch.bitwise_left_shift(x, y)), "i64 8", "i64<9 8")
case("logical_of_numbers", lambda x, y: (torch.logical_and(x, y), torch.logical_or(x, y),
                                         x.logical_xor(y), torch.logical_not(x)), "i64 8,6", "b 6")
case("maximum_nan", lambda x, y: (torch.maximum(x, y), torch.minimum(x, y), torch.fmax(x, y),
                                  torch.fmin(x, y)),
     torch.tensor([1., NAN, 3., NAN]), torch.tensor([2., 1., NAN, NAN]))
case("atan2_quadrants", lambda x, y: torch.arctan2(x, y),
     torch.tensor([0., -0., 1., -1., 0., -0., INF]), torch.tensor([-1., -1., 0., 0., 1., 1., -INF]))
case("logaddexp_infinite", lambda x, y: torch.logaddexp(x, y),
     torch.tensor([1., 100., -INF, INF, 3.]), torch.tensor([1., -100., -INF, INF, 3.5]))
case("xlogy_zeros", lambda x, y: torch.xlogy(x, y),
     torch.tensor([0., 0., 2., 3., 0.]), torch.tensor([0., NAN, 3., 0., -1.]))
case("copysign_zeros", lambda x, y: (torch.copysign(x, y), torch.copysign(x, -1.0)),
     torch.tensor([1., -2., 3., 0., 5.]), torch.tensor([-0., 0., -1., -5., 3.]))
case("heaviside", lambda x, y: torch.heaviside(x, y), torch.tensor([-1., 0., 2., -0.]),
     torch.tensor([0.5]))
case("hypot", lambda x, y: torch.hypot(x, y), "8,6", "6")
case("addc", lambda x, y, z: (torch.addcmul(x, y, z, value=0.5), x.addcdiv(y, z, value=-2)),
     "4,6", "4,1", "f32+ 6")
case("lerp_forms", lambda x, y, w: (torch.lerp(x, y, 0.25), x.lerp(y, w)), "4,6", "6", "4,6")
case("isclose", lambda x, y: (torch.isclose(x, y), torch.isclose(x, y, equal_nan=True),
                              x.isclose(y, rtol=0.5)),
     torch.tensor([1., INF, NAN, 2., INF]), torch.tensor([1.000001, INF, NAN, 2.5, -INF]))
case("float_power", lambda x: (torch.float_power(x, 2), x.float_power(0.5)), "i64<9 8")
case("uint8", lambda x, y: (x + y, x - y, x * y, x // y, x % y, x > y), "u8 8", "u8+ 8")
case("int8", lambda x, y: (x + y, x * y, x // y, x % y, torch.fmod(x, y)), "i8 8", "i8! 8")
case("uint8_and_int8", lambda x, y: x + y, "u8 8", "i8 8")
case("float64", lambda x, y: (x + y, x / y, x ** 2, x > y, x % y), "f64 8", "f64+ 8")
case("float16", lambda x, y: (x + y, x / y, x ** 2, x > y, torch.maximum(x, y), x + 1.5),
     "f16 8", "f16+ 8", tol=HALF)
case("bfloat16", lambda x, y: (x + y, x / y, x > y, torch.maximum(x, y)), "bf16 8", "bf16+ 8",
     tol=(1e-2, 1e-2))
case("empty", lambda x, y: (x + y, x > 0, torch.where(x > y, x, y), x ** 2), "0,3", "3")
case("zero_d", lambda x, y: (x + y, x * 2, x > y, x ** 2, torch.where(x > 0, x, y)), "f32", "i64")
case("five_axes", lambda x, y: x * y, "2,1,3,1,2", "4,1,5,1")
case("symbolic", lambda x, y: (x + y, x / 2 - y, torch.maximum(x, y), x > 0), "n,6", "6",
     sizes={"n": (4, 7)})
case("symbolic_two", lambda x, y: x.unsqueeze(1) * y, "n,3", "k,3", sizes={"n": (4, 1), "k": (2,
     5)})


def _in_place(x, y):
    z = x * 1
    z += y
    z.mul_(2).sub_(y, alpha=0.5)
    z.div_(4).clamp_(-1, 1)
    return z, x


case("in_place_chain", _in_place, "4,6", "6")


def _through_views(x):
    a = x.view(24)
    b = x.view(2, 12)
    a.mul_(2)
    b.add_(1)
    return x + 0, a + 0


case("in_place_through_two_views", _through_views, "4,6")
case("in_place_flattened", lambda x: (x.flatten(1).zero_(), x + 1), "2,3,4")
case("in_place_copy", lambda x, y: (x.copy_(y), x + 1), "4,6", "i64 6")
case("in_place_masked", lambda x, m: (x.masked_fill_(m, 0), x + 1), "4,6", "b 4,6")
