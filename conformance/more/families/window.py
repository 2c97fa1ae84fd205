"""Convolutions, pools, unfold and fold."""

import torch
import torch.nn.functional as F
from recording import HALF, Family
from torch import nn

case = Family("window")

case("conv_keywords", lambda x, w, b: (F.conv2d(x, w, bias=b, stride=2, padding=1),
                                       F.conv2d(input=x, weight=w, dilation=(1, 2)),
                                       torch.conv2d(x, w, b, padding="same")), "1,2,6,7", "4,2,3,3",
     "4")
case("conv_groups", lambda x, w: (F.conv2d(x, w, groups=2), F.conv2d(x, w, padding="valid",
                                                                    groups=2)), "2,4,5,5",
     "4,2,3,3")
case("conv1d_same_even", lambda x, w: (F.conv1d(x, w, padding="same"), F.conv1d(x, w, stride=2)),
     "1,2,9", "3,2,4")
case("conv3d_forms", lambda x, w: F.conv3d(x, w, padding=(1, 0, 1), stride=(1, 2, 1)), "1,2,3,4,3",
     "2,2,2,2,2")
case("conv_float16", lambda x, w, b: F.conv2d(x, w, b), "f16 1,2,4,4", "f16 3,2,3,3", "f16 3",
     tol=(4e-3, 4e-3))
case("conv_bfloat16", lambda x, w: F.conv1d(x, w), "bf16 1,2,6", "bf16 3,2,3", tol=(2e-2, 2e-2))
case("conv_float64", lambda x, w: F.conv2d(x, w), "f64 1,2,4,4", "f64 3,2,3,3")
case("conv_without_batch", lambda x, w: (F.conv2d(x, w), F.conv_transpose2d(x, w.transpose(0, 1))),
     "2,5,5", "3,2,3,3")
case("conv1d_without_batch", lambda x, w, b: F.conv1d(x, w, b, padding=1), "2,7", "3,2,3", "3")
case("conv_symbolic", lambda m, x: m.it(x), "n,2,h,5", sizes={"n": (1, 3), "h": (5, 8)},
     modules=lambda: {"it": nn.Conv2d(2, 3, 3, padding=1)})
for mode in ("reflect", "replicate", "circular", "zeros"):
    case.module(f"Conv2d_{mode}", lambda mode=mode: nn.Conv2d(2, 3, 3, padding=(2, 1),
                                                              padding_mode=mode), "1,2,5,6")
case.module("Conv1d_circular_same", lambda: nn.Conv1d(2, 3, 4, padding="same",
                                                      padding_mode="circular"), "1,2,7")
case.module("Conv3d_same", lambda: nn.Conv3d(1, 2, (2, 3, 1), padding="same", dilation=(1, 2, 1)),
            "1,1,4,5,3")
case.module("Conv2d_valid", lambda: nn.Conv2d(2, 3, 2, padding="valid", stride=2), "1,2,5,5")
case("transposed_keywords", lambda x, w: (F.conv_transpose2d(x, w, stride=2, output_padding=1),
                                          F.conv_transpose2d(x, w, padding=1, dilation=2)),
     "1,2,4,4", "2,3,3,3")
case.module("ConvTranspose1d_dilated", lambda: nn.ConvTranspose1d(2, 3, 3, dilation=3,
                                                                  output_padding=2), "1,2,5")
case.module("ConvTranspose2d_dilated", lambda: nn.ConvTranspose2d(2, 4, 3, stride=2, dilation=3,
                                                                  output_padding=2, groups=2),
            "1,2,4,4")
case.module("ConvTranspose3d", lambda: nn.ConvTranspose3d(2, 3, 2, stride=(1, 2, 2), bias=False),
            "1,2,2,3,2")
case("ConvTranspose2d_output_size", lambda m, x: m.it(x, [8, 8]), "1,2,4,4",
     modules=lambda: {"it": nn.ConvTranspose2d(2, 1, 2, stride=2)})
case("transposed_float16", lambda x, w: F.conv_transpose1d(x, w), "f16 1,2,4", "f16 2,3,3",
     tol=(4e-3, 4e-3))

case("max_pool_keywords", lambda x: (F.max_pool2d(x, 2, stride=1, padding=1),
                                     F.max_pool2d(x, kernel_size=(3, 2), dilation=(1, 2)),
                                     F.max_pool2d(x, 3, 2, ceil_mode=True)), "1,2,6,7")
case("max_pool_of_ints", lambda x: (F.max_pool2d(x, 2), F.max_pool2d(x, 3, 1, 1)), "i32 1,2,4,6")
case("max_pool_indices", lambda x: F.max_pool2d(x, 2, stride=1, return_indices=True), "1,2,4,5")
case("max_pool_indices_padded", lambda x: F.max_pool2d(x, 3, 2, 1, ceil_mode=True,
                                                       return_indices=True), "1,2,6,6")
case("max_pool1d_indices", lambda x: F.max_pool1d(x, 3, 2, return_indices=True), "1,2,9")
case("max_pool3d_indices", lambda x: F.max_pool3d(x, 2, return_indices=True), "1,1,4,4,2")
case.module("MaxPool2d_indices", lambda: nn.MaxPool2d(2, return_indices=True), "1,2,4,4")
case("avg_pool_keywords", lambda x: (F.avg_pool2d(x, 3, padding=1, count_include_pad=False),
                                     F.avg_pool2d(x, 2, divisor_override=3),
                                     F.avg_pool2d(x, (3, 2), stride=2, ceil_mode=True)), "1,2,6,7")
case("avg_pool_ceil", lambda x: (F.avg_pool1d(x, 3, 2, 1, ceil_mode=True),
                                 F.avg_pool1d(x, 4, 3, 2, True, False)), "1,2,8")
case("avg_pool3d_forms", lambda x: (F.avg_pool3d(x, 2, 1), F.avg_pool3d(x, (2, 2, 1), padding=(1,
     0, 0),
                                                                        divisor_override=5)),
     "1,1,3,4,2")
case("avg_pool_float16", lambda x: F.avg_pool2d(x, 3), "f16 1,2,6,6", tol=HALF)
case.module("AvgPool2d_divisor", lambda: nn.AvgPool2d(3, 2, 1, divisor_override=4), "1,2,6,6")
case.module("AvgPool3d_nopad", lambda: nn.AvgPool3d(2, 2, 1, count_include_pad=False), "1,1,3,4,5")
case("pool_without_batch", lambda x: (F.max_pool2d(x, 2), F.avg_pool2d(x, 2),
                                      F.adaptive_avg_pool2d(x, (2, 3))), "2,5,5")
case("adaptive_forms", lambda x: (F.adaptive_avg_pool2d(x, (3, None)), F.adaptive_avg_pool2d(x, 4),
                                  F.adaptive_max_pool2d(x, (2, 5))), "1,2,5,7")
case("adaptive_max_indices", lambda x: F.adaptive_max_pool2d(x, 3, return_indices=True), "1,2,5,7")
case.module("AdaptiveMaxPool1d", lambda: nn.AdaptiveMaxPool1d(3), "1,2,8")
case.module("AdaptiveMaxPool3d", lambda: nn.AdaptiveMaxPool3d((2, None, 1)), "1,1,3,4,2")
case.module("AdaptiveAvgPool3d", lambda: nn.AdaptiveAvgPool3d((2, 3, None)), "1,2,5,4,2")
case("lp_pool_forms", lambda x: (F.lp_pool2d(x, 2, 2), F.lp_pool2d(x, 3, (3, 2), stride=1),
                                 F.lp_pool1d(x[0], 2, 3, ceil_mode=True)), "1,2,4,6")
case.module("LPPool2d", lambda: nn.LPPool2d(2, 2, stride=1), "1,2,4,5")
case.module("LPPool1d_of_order_one", lambda: nn.LPPool1d(1, 3), "1,2,9")
case("unfold_forms", lambda x: (F.unfold(x, 2), F.unfold(x, (2, 3), padding=1, stride=2),
                                F.unfold(x, 2, dilation=2)), "1,2,4,5")
case("fold_forms", lambda x: (F.fold(x, (4, 5), 2), F.fold(x, output_size=(4, 5), kernel_size=2,
                                                           stride=1)), "1,8,12")
case("fold_of_unfold", lambda x: F.fold(F.unfold(x, 3, padding=1, stride=2), (5, 6), 3, padding=1,
                                        stride=2), "1,2,5,6")
case.module("Unfold", lambda: nn.Unfold((2, 1), stride=(1, 2)), "2,1,3,4")
case.module("Fold", lambda: nn.Fold((3, 4), 2), "1,4,6")
case("pool_nan", lambda x: (F.max_pool1d(x, 2), F.avg_pool1d(x, 2), F.adaptive_max_pool1d(x, 2)),
     torch.tensor([[[1., float("nan"), 2., 3., -float("inf"), -float("inf")]]]))
