#include <cctype>

#include "arith/analyzer.h"
#include "ir/tir_build.h"
#include "support/check.h"
#include "topi/common.h"
#include "topi/padding.h"
#include "topi/window.h"

namespace fx2wasm::topi {

using te::PrimExpr;
using te::Tensor;

std::optional<WindowLayout> parse_layout(std::string_view layout, std::string_view special) {
  WindowLayout result;
  int found = 0;
  for (size_t axis = 0; axis < layout.size(); ++axis) {
    const char letter = layout[axis];
    if (letter < 'A' || letter > 'Z') return std::nullopt;
    if (letter == special[0] || letter == special[1]) {
      (letter == special[0] ? result.first : result.second) = axis;
      ++found;
    } else {
      result.spatial.push_back(axis);
    }
  }
  const bool fits = found == 2 && !result.spatial.empty() && result.spatial.size() <= 3 &&
                    result.first != result.second;
  return fits ? std::optional(result) : std::nullopt;
}

namespace {

constexpr std::string_view kConvAxisNames[] = {"yy", "xx", "zz"};
constexpr std::string_view kConvReduceNames[] = {"ry", "rx", "rz"};

WindowLayout known_layout(std::string_view layout, std::string_view special, size_t rank) {
  const std::optional<WindowLayout> parsed = parse_layout(layout, special);
  FX_CHECK(parsed && parsed->spatial.size() + 2 == rank, "a convolution's layout is a plain one");
  return *parsed;
}

std::string lower_case(std::string text) {
  for (char& letter : text) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return text;
}

// A value for each axis of a tensor from those of its roles.
template <class T>
std::vector<T> in_layout(const WindowLayout& layout, const T& first, const T& second,
                         const std::vector<T>& spatial) {
  std::vector<T> result(spatial.size() + 2);
  result[layout.first] = first;
  result[layout.second] = second;
  for (size_t i = 0; i < spatial.size(); ++i) result[layout.spatial[i]] = spatial[i];
  return result;
}

// The axes of a product's sum: the input channel and the places in the kernel.
struct KernelAxes {
  te::IterVar channel;
  std::vector<te::IterVar> places;
  // In the order in which the data's axes stand.
  std::vector<te::IterVar> in_order(const WindowLayout& layout) const {
    std::vector<te::IterVar> axes;
    for (size_t axis = 0; axis < places.size() + 2; ++axis) {
      if (axis == layout.second) axes.push_back(channel);
      for (size_t i = 0; i < places.size(); ++i) {
        if (layout.spatial[i] == axis) axes.push_back(places[i]);
      }
    }
    return axes;
  }
};

}  // namespace

Tensor conv(const Tensor& data, const Tensor& weight, const ConvAttrs& attrs) {
  const Indices data_shape = te::shape_of(data), kernel_shape = te::shape_of(weight);
  const size_t count = attrs.strides.size();
  const WindowLayout layout = known_layout(attrs.data_layout, "NC", data_shape.size());
  const WindowLayout kernel = known_layout(attrs.kernel_layout, "OI", kernel_shape.size());
  FX_CHECK(layout.spatial.size() == count && attrs.padding.size() == 2 * count,
           "a convolution has strides and paddings for each spatial axis");
  const auto imm = [&](int64_t value) { return imm_like(data_shape[0], value); };

  const auto middle = attrs.padding.begin() + static_cast<std::ptrdiff_t>(count);
  const std::vector<int64_t> begins(attrs.padding.begin(), middle),
      ends(middle, attrs.padding.end());
  const PrimExpr zero = tir::const_of(te::dtype_of(data), 0);
  const Tensor padded = pad(data, in_layout<int64_t>(layout, 0, 0, begins),
                            in_layout<int64_t>(layout, 0, 0, ends), zero, PadStyle::Python);

  arith::Analyzer analyzer;
  const PrimExpr outputs = kernel_shape[kernel.first];
  const PrimExpr in_group = tir::floordiv(data_shape[layout.second], imm(attrs.groups));
  const PrimExpr out_group = tir::floordiv(outputs, imm(attrs.groups));
  KernelAxes sum{reduce_over(in_group, "rc"), {}};
  Indices extents;
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) {
    const PrimExpr places = kernel_shape[kernel.spatial[i]];
    // (size + padding - dilated kernel) // stride + 1
    PrimExpr span = tir::sub(data_shape[layout.spatial[i]],
                             tir::mul(tir::sub(places, imm(1)), imm(attrs.dilation[i])));
    span = tir::sub(span, imm(1));
    span = tir::add(tir::add(span, imm(begins[i])), imm(ends[i]));
    extents.push_back(
        analyzer.simplify(tir::add(tir::floordiv(span, imm(attrs.strides[i])), imm(1))));
    sum.places.push_back(reduce_over(places, std::string(kConvReduceNames[i])));
    names.emplace_back(kConvAxisNames[i]);
  }

  te::ComputeOptions options =
      python_style((attrs.groups > 1 ? "group_conv" : "conv") + std::to_string(count) + "d_" +
                   lower_case(attrs.data_layout));
  options.axis_names = in_layout<std::string>(layout, "nn", "ff", names);
  const Indices shape = in_layout(layout, data_shape[layout.first], outputs, extents);
  return te::compute(shape, options, [&](const Indices& i) {
    if (tir::is_zero(in_group)) return tir::const_of(attrs.out_dtype, 0);
    PrimExpr channel = te::var_of(sum.channel);
    if (attrs.groups > 1) {
      channel = tir::add(tir::mul(tir::floordiv(i[layout.second], out_group), in_group), channel);
    }
    Indices from, places;
    for (size_t k = 0; k < count; ++k) {
      places.push_back(te::var_of(sum.places[k]));
      from.push_back(tir::add(tir::mul(i[layout.spatial[k]], imm(attrs.strides[k])),
                              tir::mul(places[k], imm(attrs.dilation[k]))));
    }
    const PrimExpr element = te::read(padded, in_layout(layout, i[layout.first], channel, from));
    const PrimExpr factor =
        te::read(weight, in_layout(kernel, i[layout.second], te::var_of(sum.channel), places));
    return te::sum(
        tir::mul(tir::cast(attrs.out_dtype, element), tir::cast(attrs.out_dtype, factor)),
        sum.in_order(layout));
  });
}

namespace {

// The letters of the last `count` of depth, height and width.
std::string_view spatial_letters(size_t count) { return std::string_view("dhw").substr(3 - count); }

// Zeros between the elements.
Tensor dilate(const Tensor& x, const std::vector<int64_t>& strides, std::string name) {
  const Indices own = te::shape_of(x);
  arith::Analyzer analyzer;
  Indices shape = own;
  for (size_t k = 0; k < strides.size(); ++k) {
    PrimExpr& extent = shape[2 + k];
    const PrimExpr gaps = tir::sub(extent, imm_like(extent, 1));
    extent = analyzer.simplify(
        tir::add(tir::mul(gaps, imm_like(extent, strides[k])), imm_like(extent, 1)));
  }
  return te::compute(shape, python_style(std::move(name)), [&](const Indices& i) {
    Indices indices = i;
    PrimExpr hits;
    for (size_t k = 0; k < strides.size(); ++k) {
      if (strides[k] == 1) continue;
      const PrimExpr stride = imm_like(i[2 + k], strides[k]);
      indices[2 + k] = tir::floordiv(i[2 + k], stride);
      const PrimExpr hit =
          tir::binary(tir::BinaryOp::EQ, tir::floormod(i[2 + k], stride), imm_like(i[2 + k], 0));
      hits = hits ? tir::binary(tir::BinaryOp::And, hits, hit) : hit;
    }
    const PrimExpr element = te::read(x, indices);
    return hits ? tir::if_then_else(hits, element, tir::const_of(te::dtype_of(x), 0)) : element;
  });
}

// The kernel (I, O, …) as (O, I, …), turned around in every spatial axis.
Tensor turned_kernel(const Tensor& kernel, size_t count, int64_t groups) {
  const Indices own = te::shape_of(kernel);
  Indices shape = own;
  std::swap(shape[0], shape[1]);
  te::ComputeOptions options = python_style(count == 1 ? "kernel" : "kernel_transform");
  // TVM's two-dimensional one with groups calls the axes the other way round.
  const bool swapped = count == 2 && groups > 1;
  options.axis_names = {swapped ? "i" : "o", swapped ? "o" : "i"};
  for (const char letter : spatial_letters(count)) options.axis_names.emplace_back(1, letter);
  return te::compute(shape, options, [&](const Indices& i) {
    Indices indices = {i[1], i[0]};
    for (size_t k = 0; k < count; ++k) {
      const PrimExpr last = tir::sub(own[2 + k], imm_like(own[2 + k], 1));
      indices.push_back(tir::sub(last, i[2 + k]));
    }
    return te::read(kernel, indices);
  });
}

}  // namespace

Tensor conv_transpose(const Tensor& data, const Tensor& weight, const ConvAttrs& attrs) {
  const size_t count = attrs.strides.size();
  FX_CHECK(te::shape_of(data).size() == count + 2 && attrs.padding.size() == 2 * count &&
               attrs.output_padding.size() == count,
           "a transposed convolution has settings for each spatial axis");
  Tensor kernel = weight;
  bool is_dilated = false;
  for (const int64_t step : attrs.dilation) is_dilated = is_dilated || step != 1;
  if (is_dilated) kernel = dilate(weight, attrs.dilation, "kernel_dilate");
  const Indices kernel_shape = te::shape_of(kernel);

  arith::Analyzer analyzer;
  const auto room = [&](size_t k, int64_t padding, int64_t more) {
    const PrimExpr extent = kernel_shape[2 + k];
    const auto imm = [&](int64_t value) { return imm_like(extent, value); };
    return tir::add(tir::sub(tir::sub(extent, imm(1)), imm(padding)), imm(more));
  };
  Indices before(2, imm_like(kernel_shape[0], 0)), after = before;
  for (size_t k = 0; k < count; ++k) {
    before.push_back(room(k, attrs.padding[k], 0));
    after.push_back(room(k, attrs.padding[count + k], attrs.output_padding[k]));
  }
  const Tensor spread = dilate(data, attrs.strides, "data_dilate");
  const Tensor padded = pad(spread, before, after, tir::const_of(te::dtype_of(data), 0),
                            PadStyle::Python, "data_pad");
  const Tensor turned = turned_kernel(kernel, count, attrs.groups);

  const Indices padded_shape = te::shape_of(padded);
  const auto imm = [&](int64_t value) { return imm_like(padded_shape[0], value); };
  const PrimExpr in_group = tir::floordiv(padded_shape[1], imm(attrs.groups));
  const PrimExpr out_group = kernel_shape[1];
  Indices shape = {padded_shape[0], analyzer.simplify(tir::mul(out_group, imm(attrs.groups)))};
  te::ComputeOptions options = python_style("compute");
  options.axis_names = {"b", "c"};
  std::vector<te::IterVar> sum = {reduce_over(in_group, "dc")};
  for (size_t k = 0; k < count; ++k) {
    const std::string letter(1, spatial_letters(count)[k]);
    const PrimExpr windows = tir::sub(padded_shape[2 + k], kernel_shape[2 + k]);
    shape.push_back(analyzer.simplify(tir::add(windows, imm(1))));
    options.axis_names.push_back(letter);
    sum.push_back(reduce_over(kernel_shape[2 + k], "d" + letter));
  }
  return te::compute(shape, options, [&](const Indices& i) {
    PrimExpr from = te::var_of(sum[0]), output = i[1];
    if (attrs.groups > 1) {
      const PrimExpr group = tir::floordiv(i[1], out_group);
      from = tir::add(tir::mul(group, in_group), from);
      output = tir::floormod(i[1], out_group);
    }
    Indices element = {i[0], from}, factor = {output, from};
    for (size_t k = 0; k < count; ++k) {
      element.push_back(tir::add(i[2 + k], te::var_of(sum[1 + k])));
      factor.push_back(te::var_of(sum[1 + k]));
    }
    return te::sum(tir::mul(tir::cast(attrs.out_dtype, te::read(padded, element)),
                            tir::cast(attrs.out_dtype, te::read(turned, factor))),
                   sum);
  });
}

}  // namespace fx2wasm::topi
