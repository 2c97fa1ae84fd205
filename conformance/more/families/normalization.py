"""Norms, losses, dropout, distances."""

import torch
import torch.nn.functional as F
from recording import HALF, Family
from torch import nn

case = Family("normalization")
CLASSES = torch.tensor([1, 0, 3])

case("batch_norm_forms", lambda x, mean, var, w, b: (
    F.batch_norm(x, mean, var), F.batch_norm(x, mean, var, w, b, False, 0.1, 1e-3),
    F.batch_norm(x, mean, var, weight=w, bias=b, eps=0.1)), "2,3,4", "3", "f32+ 3", "3", "3")
case("batch_norm_training", lambda x, mean, var: F.batch_norm(x, None, None, training=True) + mean
     + var, "2,3,4", "1", "1")
for name, make, shape in [
    ("BatchNorm1d", lambda: nn.BatchNorm1d(3), "4,3"),
    ("BatchNorm1d_line", lambda: nn.BatchNorm1d(3, affine=False), "2,3,5"),
    ("BatchNorm2d_eps", lambda: nn.BatchNorm2d(3, eps=0.1), "2,3,2,4"),
    ("BatchNorm3d", lambda: nn.BatchNorm3d(2), "1,2,2,3,2"),
    ("BatchNorm2d_untracked", lambda: nn.BatchNorm2d(3, track_running_stats=False), "2,3,2,4"),
    ("SyncBatchNorm", lambda: nn.SyncBatchNorm(3), "2,3,4"),
    ("InstanceNorm1d", lambda: nn.InstanceNorm1d(3), "2,3,5"),
    ("InstanceNorm2d_affine", lambda: nn.InstanceNorm2d(3, affine=True, eps=0.1), "2,3,4,2"),
    ("InstanceNorm2d_tracked", lambda: nn.InstanceNorm2d(3, track_running_stats=True), "2,3,4,2"),
    ("InstanceNorm1d_without_batch", lambda: nn.InstanceNorm1d(3, affine=True), "3,5"),
    ("InstanceNorm3d", lambda: nn.InstanceNorm3d(2, affine=True), "1,2,2,3,2"),
    ("LayerNorm_two_axes", lambda: nn.LayerNorm((3, 4)), "2,3,4"),
    ("LayerNorm_bare", lambda: nn.LayerNorm(4, elementwise_affine=False), "2,3,4"),
    ("LayerNorm_no_bias", lambda: nn.LayerNorm(4, bias=False), "2,4"),
    ("LayerNorm_vector", lambda: nn.LayerNorm(6), "6"),
    ("GroupNorm", lambda: nn.GroupNorm(2, 4, eps=0.01), "2,4,3"),
    ("GroupNorm_bare", lambda: nn.GroupNorm(2, 4, affine=False), "2,4,3,2"),
    ("GroupNorm_two_axes", lambda: nn.GroupNorm(2, 4), "3,4"),
    ("RMSNorm", lambda: nn.RMSNorm(4), "2,3,4"),
    ("RMSNorm_bare", lambda: nn.RMSNorm((3, 4), eps=0.1, elementwise_affine=False), "2,3,4"),
    ("LocalResponseNorm", lambda: nn.LocalResponseNorm(3, 0.1, 0.5, 2.0), "2,5,3,2"),
]:
    case.module(name, make, shape)
case("instance_norm_without_batch", lambda x: F.instance_norm(x), "3,4,5")
case("instance_norm_forms", lambda x, w, b: (F.instance_norm(x), F.instance_norm(x, weight=w,
     bias=b),
                                             F.instance_norm(x, eps=0.1)), "2,3,5", "3", "3")
case("instance_norm_running", lambda x, mean, var: F.instance_norm(x, mean, var,
                                                                   use_input_stats=False), "2,3,5",
     "3", "f32+ 3")
case("layer_norm_forms", lambda x, w, b: (F.layer_norm(x, (4,)), F.layer_norm(x, [4], w, b),
                                          F.layer_norm(x, (4,), weight=w, eps=0.1),
                                          F.layer_norm(x, (4,), bias=b)), "2,3,4", "4", "4")
case("layer_norm_float16", lambda x, w, b: F.layer_norm(x, (6,), w, b), "f16 4,6", "f16 6", "f16 6",
     tol=HALF)
case("group_norm_float16", lambda x: F.group_norm(x, 2), "f16 2,4,3", tol=HALF)
case("group_norm_forms", lambda x, w, b: (F.group_norm(x, 2), F.group_norm(x, 4, weight=w, bias=b),
                                          F.group_norm(x, 1, w, b, 0.1)), "2,4,3", "4", "4")
case("norms_of_constants", lambda x: (F.layer_norm(x, (5,)), F.group_norm(x, 1)),
     torch.full((2, 3, 5), 1000.5))
case("norm_symbolic", lambda x, w: (F.layer_norm(x, (4,), w), F.group_norm(x, 2)), "n,4", "4",
     sizes={"n": (2, 5)})
case("local_response_norm", lambda x: F.local_response_norm(x, 2, alpha=0.5, k=1.5), "2,5,4")
case("rms_norm_forms", lambda x, w: (F.rms_norm(x, (4,)), F.rms_norm(x, [4], weight=w, eps=0.1)),
     "2,3,4", "4")
case("normalize_forms", lambda x: (F.normalize(x), F.normalize(x, p=1, dim=0),
                                   F.normalize(x, dim=-1, eps=10.0)), "3,4")
case("cosine_similarity", lambda x, y: (F.cosine_similarity(x, y), F.cosine_similarity(x, y,
     dim=0)),
     "3,4", "3,4")
case("pairwise_distance", lambda x, y: (F.pairwise_distance(x, y),
                                        F.pairwise_distance(x, y, p=1, keepdim=True)), "3,4", "3,4")
case.module("CosineSimilarity", lambda: nn.CosineSimilarity(dim=-1), "3,4", "3,4")
case.module("PairwiseDistance", lambda: nn.PairwiseDistance(p=3), "3,4", "3,4")
case("dropout_evaluated", lambda x: F.dropout(x, 0.5, training=False) + 1, "3,4")

case("nll_loss_ignored", lambda x, t: (F.nll_loss(x, t), F.nll_loss(x, t, reduction="sum"),
                                       F.nll_loss(x, t, reduction="none")), "4,5",
     torch.tensor([1, -100, 4, 0]))
case("nll_loss_images", lambda x, t: F.nll_loss(x, t, ignore_index=2), "2,3,4", "i64<3 2,4")
case("nll_loss_weight", lambda x, t, w: F.nll_loss(x, t, weight=w), "3,4", CLASSES, "f32+ 4")
case("cross_entropy_forms", lambda x, t: (F.cross_entropy(x, t), F.cross_entropy(x, t,
     reduction="sum"),
                                          F.cross_entropy(x, t, reduction="none")), "3,4", CLASSES)
case("cross_entropy_images", lambda x, t: F.cross_entropy(x, t), "2,3,4,2", "i64<3 2,4,2")
case("cross_entropy_smoothed", lambda x, t: F.cross_entropy(x, t, label_smoothing=0.1), "3,4",
     CLASSES)
case("cross_entropy_smoothed_weight", lambda x, t, w: F.cross_entropy(x, t, w, label_smoothing=0.2),
     "3,4", CLASSES, "f32+ 4")
case("cross_entropy_probabilities", lambda x, t: F.cross_entropy(x, F.softmax(t, 1)), "3,4", "3,4")
case("cross_entropy_one_item", lambda x, t: F.cross_entropy(x, t), "4", torch.tensor(2))
case("cross_entropy_ignored", lambda x, t: F.cross_entropy(x, t, ignore_index=0), "3,4", CLASSES)
case.module("CrossEntropyLoss", lambda: nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=3),
            "3,4", CLASSES)
case.module("NLLLoss", lambda: nn.NLLLoss(reduction="none"), "3,4", CLASSES)
case("mse_l1", lambda x, y: (F.mse_loss(x, y), F.l1_loss(x, y), F.mse_loss(x, y, reduction="sum"),
                             F.l1_loss(x, y, reduction="none")), "3,4", "3,4")
case("smooth_losses", lambda x, y: (F.smooth_l1_loss(x, y), F.smooth_l1_loss(x, y, beta=0.5),
                                    F.huber_loss(x, y, delta=2.0), F.huber_loss(x, y, "none")),
     "3,4", "3,4")
case("binary_cross_entropy", lambda x, y: (
    F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y)),
    F.binary_cross_entropy_with_logits(x, torch.sigmoid(y)),
    F.binary_cross_entropy_with_logits(x, torch.sigmoid(y), reduction="none")), "3,4", "3,4")
case("binary_cross_entropy_weights", lambda x, y, w: (
    F.binary_cross_entropy(torch.sigmoid(x), torch.sigmoid(y), weight=w),
    F.binary_cross_entropy_with_logits(x, torch.sigmoid(y), pos_weight=w)), "3,4", "3,4", "f32+ 4")
case("binary_cross_entropy_edges", lambda x, y: F.binary_cross_entropy(x, y, reduction="none"),
     torch.tensor([0., 1., 1., 0.5]), torch.tensor([0., 1., 0., 1.]))
case("kl_div_forms", lambda x, y: (F.kl_div(x, F.softmax(y, 1), reduction="batchmean"),
                                   F.kl_div(x, y, log_target=True, reduction="sum"),
                                   F.kl_div(x, F.softmax(y, 1))), "3,4", "3,4")
for name, make in {
    "MSELoss": lambda: nn.MSELoss(reduction="sum"), "L1Loss": nn.L1Loss,
    "SmoothL1Loss": lambda: nn.SmoothL1Loss(beta=2.0), "HuberLoss": lambda: nn.HuberLoss(delta=0.5),
    "BCEWithLogitsLoss": nn.BCEWithLogitsLoss, "KLDivLoss": lambda: nn.KLDivLoss(log_target=True),
}.items():
    case.module(name, make, "3,4", "3,4")
