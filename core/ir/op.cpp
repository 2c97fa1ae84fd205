// The operators of apache-tvm 0.27 that its FX importer can emit. Arguments and attributes are
// named and ordered as in TVM's registrations (src/relax/op) and attribute declarations
// (include/tvm/relax/attrs).
#include "ir/op.h"

#include <algorithm>
#include <array>

namespace fx2wasm::relax {
namespace {

constexpr std::string_view kConditionX1X2Args[] = {"condition", "x1", "x2"};
constexpr std::string_view kDataArgs[] = {"data"};
constexpr std::string_view kDataAlphaArgs[] = {"data", "alpha"};
constexpr std::string_view kDataGammaBetaArgs[] = {"data", "gamma", "beta"};
constexpr std::string_view kDataGammaBetaMovingMeanMovingVarArgs[] = {"data", "gamma", "beta",
                                                                      "moving_mean", "moving_var"};
constexpr std::string_view kDataGridArgs[] = {"data", "grid"};
constexpr std::string_view kDataIndicesArgs[] = {"data", "indices"};
constexpr std::string_view kDataIndicesUpdatesArgs[] = {"data", "indices", "updates"};
constexpr std::string_view kDataIndicesValuesArgs[] = {"data", "indices", "values"};
constexpr std::string_view kDataSizeArgs[] = {"data", "size"};
constexpr std::string_view kDataWeightArgs[] = {"data", "weight"};
constexpr std::string_view kIndicesOnValueOffValueArgs[] = {"indices", "on_value", "off_value"};
constexpr std::string_view kInputSrcStartEndStepArgs[] = {"input", "src", "start", "end", "step"};
constexpr std::string_view kInputTensorBoundariesArgs[] = {"input_tensor", "boundaries"};
constexpr std::string_view kNMKArgs[] = {"n", "m", "k"};
constexpr std::string_view kOperandsArgs[] = {"operands"};
constexpr std::string_view kPredictionsTargetsWeightsArgs[] = {"predictions", "targets", "weights"};
constexpr std::string_view kQueryKeyValueArgs[] = {"query", "key", "value"};
constexpr std::string_view kQueryKeyValueBiasArgs[] = {"query", "key", "value", "bias"};
constexpr std::string_view kShapeArgs[] = {"shape"};
constexpr std::string_view kShapeFillValueArgs[] = {"shape", "fill_value"};
constexpr std::string_view kStartEndStepArgs[] = {"start", "end", "step"};
constexpr std::string_view kTensorsArgs[] = {"tensors"};
constexpr std::string_view kXArgs[] = {"x"};
constexpr std::string_view kXAxesBeginEndStridesArgs[] = {"x", "axes", "begin", "end", "strides"};
constexpr std::string_view kXFillValueArgs[] = {"x", "fill_value"};
constexpr std::string_view kXIndicesArgs[] = {"x", "indices"};
constexpr std::string_view kXKArgs[] = {"x", "k"};
constexpr std::string_view kXMinMaxArgs[] = {"x", "min", "max"};
constexpr std::string_view kXShapeArgs[] = {"x", "shape"};
constexpr std::string_view kX1X2Args[] = {"x1", "x2"};
constexpr std::string_view kAccumulateAttrs[] = {"accumulate"};
constexpr std::string_view kAlphaAttrs[] = {"alpha"};
constexpr std::string_view kAssumeInboundAttrs[] = {"assume_inbound"};
constexpr std::string_view kAxesAttrs[] = {"axes"};
constexpr std::string_view kAxesEpsilonAttrs[] = {"axes", "epsilon"};
constexpr std::string_view kAxesEpsilonCenterScaleAttrs[] = {"axes", "epsilon", "center", "scale"};
constexpr std::string_view kAxisAttrs[] = {"axis"};
constexpr std::string_view kAxisDescendingDtypeAttrs[] = {"axis", "descending", "dtype"};
constexpr std::string_view kAxisDtypeExclusiveAttrs[] = {"axis", "dtype", "exclusive"};
constexpr std::string_view kBatchNormAttrs[] = {"axis",  "epsilon",  "center",
                                                "scale", "momentum", "training"};
constexpr std::string_view kAxisKeepdimsAttrs[] = {"axis", "keepdims"};
constexpr std::string_view kAxisModeAttrs[] = {"axis", "mode"};
constexpr std::string_view kAxisReductionAttrs[] = {"axis", "reduction"};
constexpr std::string_view kBetaThresholdAttrs[] = {"beta", "threshold"};
constexpr std::string_view kChannelAxisAxesEpsilonCenterScaleAttrs[] = {
    "channel_axis", "axes", "epsilon", "center", "scale"};
constexpr std::string_view kDepthAxisAttrs[] = {"depth", "axis"};
constexpr std::string_view kDtypeAttrs[] = {"dtype"};
constexpr std::string_view kIndexingAttrs[] = {"indexing"};
constexpr std::string_view kIndicesOrSectionsAxisAttrs[] = {"indices_or_sections", "axis"};
constexpr std::string_view kKAxisRetTypeLargestDtypeAttrs[] = {"k", "axis", "ret_type", "largest",
                                                               "dtype"};
constexpr std::string_view kGroupNormAttrs[] = {"num_groups", "channel_axis", "axes",
                                                "epsilon",    "center",       "scale"};
constexpr std::string_view kOutDtypeAttrs[] = {"out_dtype"};
constexpr std::string_view kOutInt32RightAttrs[] = {"out_int32", "right"};
constexpr std::string_view kOutputSizeLayoutOutLayoutAttrs[] = {"output_size", "layout",
                                                                "out_layout"};
constexpr std::string_view kPadWidthPadValuePadModeAttrs[] = {"pad_width", "pad_value", "pad_mode"};
constexpr std::string_view kPoolAttrs[] = {"pool_size", "strides",   "dilation",
                                           "padding",   "ceil_mode", "count_include_pad",
                                           "layout",    "out_layout"};
constexpr std::string_view kReductionIgnoreIndexAttrs[] = {"reduction", "ignore_index"};
constexpr std::string_view kRepeatsAttrs[] = {"repeats"};
constexpr std::string_view kGridSampleAttrs[] = {"method", "layout", "padding_mode",
                                                 "align_corners"};
constexpr std::string_view kResizeAttrs[] = {"roi",
                                             "layout",
                                             "method",
                                             "coordinate_transformation_mode",
                                             "rounding_method",
                                             "cubic_alpha",
                                             "cubic_exclude",
                                             "extrapolation_value",
                                             "out_dtype"};
constexpr std::string_view kScaleCausalMaskWindowSizeAttrs[] = {"scale", "causal_mask",
                                                                "window_size"};
constexpr std::string_view kConvAttrs[] = {"strides",    "padding",     "dilation",
                                           "groups",     "data_layout", "kernel_layout",
                                           "out_layout", "out_dtype"};
constexpr std::string_view kConvTransposeAttrs[] = {"strides",       "padding",    "output_padding",
                                                    "dilation",      "groups",     "data_layout",
                                                    "kernel_layout", "out_layout", "out_dtype"};
constexpr std::string_view kSubscriptsAttrs[] = {"subscripts"};
constexpr std::string_view kUpscaleFactorAttrs[] = {"upscale_factor"};

// Sorted by name, bytewise: find_op searches by halves.
constexpr std::array kOps = {
    OpInfo{"abs", kXArgs, {}, 1},
    OpInfo{"acos", kXArgs, {}, 1},
    OpInfo{"acosh", kXArgs, {}, 1},
    OpInfo{"add", kX1X2Args, {}, 2},
    OpInfo{"arange", kStartEndStepArgs, kDtypeAttrs, 3},
    OpInfo{"argmax", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"argmin", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"argsort", kDataArgs, kAxisDescendingDtypeAttrs, 1},
    OpInfo{"asin", kXArgs, {}, 1},
    OpInfo{"asinh", kXArgs, {}, 1},
    OpInfo{"astype", kXArgs, kDtypeAttrs, 1},
    OpInfo{"atan", kXArgs, {}, 1},
    OpInfo{"atan2", kX1X2Args, {}, 2},
    OpInfo{"atanh", kXArgs, {}, 1},
    OpInfo{"bitwise_and", kX1X2Args, {}, 2},
    OpInfo{"bitwise_not", kXArgs, {}, 1},
    OpInfo{"bitwise_or", kX1X2Args, {}, 2},
    OpInfo{"bitwise_xor", kX1X2Args, {}, 2},
    OpInfo{"broadcast_to", kXShapeArgs, {}, 2},
    OpInfo{"bucketize", kInputTensorBoundariesArgs, kOutInt32RightAttrs, 2},
    OpInfo{"ceil", kXArgs, {}, 1},
    OpInfo{"clip", kXMinMaxArgs, {}, 3},
    OpInfo{"concat", kTensorsArgs, kAxisAttrs, 1},
    OpInfo{"cos", kXArgs, {}, 1},
    OpInfo{"cosh", kXArgs, {}, 1},
    OpInfo{"cumprod", kDataArgs, kAxisDtypeExclusiveAttrs, 1},
    OpInfo{"cumsum", kDataArgs, kAxisDtypeExclusiveAttrs, 1},
    OpInfo{"divide", kX1X2Args, {}, 2},
    OpInfo{"einsum", kOperandsArgs, kSubscriptsAttrs, 1},
    OpInfo{"equal", kX1X2Args, {}, 2},
    OpInfo{"erf", kXArgs, {}, 1},
    OpInfo{"exp", kXArgs, {}, 1},
    OpInfo{"expand_dims", kXArgs, kAxisAttrs, 1},
    OpInfo{"eye", kNMKArgs, kDtypeAttrs, 3},
    OpInfo{"flip", kDataArgs, kAxisAttrs, 1},
    OpInfo{"floor", kXArgs, {}, 1},
    OpInfo{"floor_divide", kX1X2Args, {}, 2},
    OpInfo{"floor_mod", kX1X2Args, {}, 2},
    OpInfo{"full", kShapeFillValueArgs, kDtypeAttrs, 2},
    OpInfo{"full_like", kXFillValueArgs, kDtypeAttrs, 2},
    OpInfo{"gather_elements", kDataIndicesArgs, kAxisAttrs, 2},
    OpInfo{"greater", kX1X2Args, {}, 2},
    OpInfo{"greater_equal", kX1X2Args, {}, 2},
    OpInfo{"image.grid_sample", kDataGridArgs, kGridSampleAttrs, 2},
    OpInfo{"image.resize2d", kDataSizeArgs, kResizeAttrs, 2},
    OpInfo{"image.resize3d", kDataSizeArgs, kResizeAttrs, 2},
    OpInfo{"index_put", kDataIndicesValuesArgs, kAccumulateAttrs, 3},
    OpInfo{"index_tensor", kDataIndicesArgs, {}, 2},
    OpInfo{"isfinite", kXArgs, {}, 1},
    OpInfo{"isinf", kXArgs, {}, 1},
    OpInfo{"isnan", kXArgs, {}, 1},
    OpInfo{"left_shift", kX1X2Args, {}, 2},
    OpInfo{"less", kX1X2Args, {}, 2},
    OpInfo{"less_equal", kX1X2Args, {}, 2},
    OpInfo{"log", kXArgs, {}, 1},
    OpInfo{"logical_and", kX1X2Args, {}, 2},
    OpInfo{"logical_not", kXArgs, {}, 1},
    OpInfo{"logical_or", kX1X2Args, {}, 2},
    OpInfo{"logical_xor", kX1X2Args, {}, 2},
    OpInfo{"matmul", kX1X2Args, kOutDtypeAttrs, 2},
    OpInfo{"max", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"maximum", kX1X2Args, {}, 2},
    OpInfo{"mean", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"meshgrid", kTensorsArgs, kIndexingAttrs, 1},
    OpInfo{"min", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"minimum", kX1X2Args, {}, 2},
    OpInfo{"mod", kX1X2Args, {}, 2},
    OpInfo{"multiply", kX1X2Args, {}, 2},
    OpInfo{"negative", kXArgs, {}, 1},
    OpInfo{"nn.adaptive_avg_pool1d", kDataArgs, kOutputSizeLayoutOutLayoutAttrs, 1},
    OpInfo{"nn.adaptive_avg_pool2d", kDataArgs, kOutputSizeLayoutOutLayoutAttrs, 1},
    OpInfo{"nn.adaptive_avg_pool3d", kDataArgs, kOutputSizeLayoutOutLayoutAttrs, 1},
    OpInfo{"nn.attention", kQueryKeyValueArgs, kScaleCausalMaskWindowSizeAttrs, 3},
    OpInfo{"nn.attention_bias", kQueryKeyValueBiasArgs, kScaleCausalMaskWindowSizeAttrs, 4},
    OpInfo{"nn.avg_pool1d", kDataArgs, kPoolAttrs, 1},
    OpInfo{"nn.avg_pool2d", kDataArgs, kPoolAttrs, 1},
    OpInfo{"nn.avg_pool3d", kDataArgs, kPoolAttrs, 1},
    OpInfo{"nn.batch_norm", kDataGammaBetaMovingMeanMovingVarArgs, kBatchNormAttrs, 5},
    OpInfo{"nn.conv1d", kDataWeightArgs, kConvAttrs, 2},
    OpInfo{"nn.conv1d_transpose", kDataWeightArgs, kConvTransposeAttrs, 2},
    OpInfo{"nn.conv2d", kDataWeightArgs, kConvAttrs, 2},
    OpInfo{"nn.conv2d_transpose", kDataWeightArgs, kConvTransposeAttrs, 2},
    OpInfo{"nn.conv3d", kDataWeightArgs, kConvAttrs, 2},
    OpInfo{"nn.conv3d_transpose", kDataWeightArgs, kConvTransposeAttrs, 2},
    OpInfo{"nn.gelu", kDataArgs, {}, 1},
    OpInfo{"nn.gelu_tanh", kDataArgs, {}, 1},
    OpInfo{"nn.group_norm", kDataGammaBetaArgs, kGroupNormAttrs, 3},
    OpInfo{"nn.instance_norm", kDataGammaBetaArgs, kChannelAxisAxesEpsilonCenterScaleAttrs, 3},
    OpInfo{"nn.layer_norm", kDataGammaBetaArgs, kAxesEpsilonCenterScaleAttrs, 3},
    OpInfo{"nn.leakyrelu", kDataArgs, kAlphaAttrs, 1},
    OpInfo{"nn.log_softmax", kDataArgs, kAxisAttrs, 1},
    OpInfo{"nn.max_pool1d", kDataArgs, kPoolAttrs, 1},
    OpInfo{"nn.max_pool2d", kDataArgs, kPoolAttrs, 1},
    OpInfo{"nn.max_pool3d", kDataArgs, kPoolAttrs, 1},
    OpInfo{"nn.nll_loss", kPredictionsTargetsWeightsArgs, kReductionIgnoreIndexAttrs, 2},
    OpInfo{"nn.pad", kDataArgs, kPadWidthPadValuePadModeAttrs, 1},
    OpInfo{"nn.pixel_shuffle", kDataArgs, kUpscaleFactorAttrs, 1},
    OpInfo{"nn.prelu", kDataAlphaArgs, kAxisAttrs, 2},
    OpInfo{"nn.relu", kDataArgs, {}, 1},
    OpInfo{"nn.rms_norm", kDataWeightArgs, kAxesEpsilonAttrs, 2},
    OpInfo{"nn.selu", kDataArgs, {}, 1},
    OpInfo{"nn.silu", kDataArgs, {}, 1},
    OpInfo{"nn.softmax", kDataArgs, kAxisAttrs, 1},
    OpInfo{"nn.softplus", kDataArgs, kBetaThresholdAttrs, 1},
    OpInfo{"not_equal", kX1X2Args, {}, 2},
    OpInfo{"one_hot", kIndicesOnValueOffValueArgs, kDepthAxisAttrs, 3},
    OpInfo{"ones", kShapeArgs, kDtypeAttrs, 1},
    OpInfo{"ones_like", kXArgs, kDtypeAttrs, 1},
    OpInfo{"outer", kX1X2Args, {}, 2},
    OpInfo{"permute_dims", kXArgs, kAxesAttrs, 1},
    OpInfo{"power", kX1X2Args, {}, 2},
    OpInfo{"prod", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"reshape", kXShapeArgs, {}, 2},
    OpInfo{"right_shift", kX1X2Args, {}, 2},
    OpInfo{"round", kXArgs, {}, 1},
    OpInfo{"rsqrt", kXArgs, {}, 1},
    OpInfo{"scatter_elements", kDataIndicesUpdatesArgs, kAxisReductionAttrs, 3},
    OpInfo{"sigmoid", kXArgs, {}, 1},
    OpInfo{"sign", kXArgs, {}, 1},
    OpInfo{"sin", kXArgs, {}, 1},
    OpInfo{"sinh", kXArgs, {}, 1},
    OpInfo{"slice_scatter", kInputSrcStartEndStepArgs, kAxisAttrs, 5},
    OpInfo{"split", kXArgs, kIndicesOrSectionsAxisAttrs, 1},
    OpInfo{"sqrt", kXArgs, {}, 1},
    OpInfo{"square", kXArgs, {}, 1},
    OpInfo{"squeeze", kXArgs, kAxisAttrs, 1},
    OpInfo{"stack", kTensorsArgs, kAxisAttrs, 1},
    OpInfo{"std", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"strided_slice", kXAxesBeginEndStridesArgs, kAssumeInboundAttrs, 4},
    OpInfo{"subtract", kX1X2Args, {}, 2},
    OpInfo{"sum", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"take", kXIndicesArgs, kAxisModeAttrs, 2},
    OpInfo{"tan", kXArgs, {}, 1},
    OpInfo{"tanh", kXArgs, {}, 1},
    OpInfo{"tile", kDataArgs, kRepeatsAttrs, 1},
    OpInfo{"topk", kDataArgs, kKAxisRetTypeLargestDtypeAttrs, 1},
    OpInfo{"tril", kXKArgs, {}, 2},
    OpInfo{"triu", kXKArgs, {}, 2},
    OpInfo{"trunc", kXArgs, {}, 1},
    OpInfo{"variance", kXArgs, kAxisKeepdimsAttrs, 1},
    OpInfo{"where", kConditionX1X2Args, {}, 3},
    OpInfo{"zeros", kShapeArgs, kDtypeAttrs, 1},
    OpInfo{"zeros_like", kXArgs, kDtypeAttrs, 1},
};

constexpr bool before(const OpInfo& a, const OpInfo& b) { return a.name < b.name; }
static_assert(std::is_sorted(kOps.begin(), kOps.end(), before));

}  // namespace

const OpInfo* find_op(std::string_view name) {
  const auto found =
      std::lower_bound(kOps.begin(), kOps.end(), name,
                       [](const OpInfo& op, std::string_view wanted) { return op.name < wanted; });
  return found != kOps.end() && found->name == name ? &*found : nullptr;
}

std::span<const OpInfo> all_ops() { return kOps; }

}  // namespace fx2wasm::relax
