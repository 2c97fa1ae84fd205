#include "topi/einsum.h"

#include <algorithm>
#include <map>

#include "ir/tir_build.h"
#include "support/diagnostic_codes.h"
#include "topi/common.h"

namespace fx2wasm::topi {
using te::PrimExpr;
namespace {

Diagnostic refused_subscripts(const std::string& text, const std::string& why) {
  return error_at({}, codes::kArgument, "the subscripts '" + text + "' " + why);
}

bool is_subscript(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The letters of one operand or of the result, an ellipsis between them.
struct EinsumTerm {
  std::string before, after;
  bool has_ellipsis = false;

  size_t written() const { return before.size() + after.size(); }
};

Result<EinsumTerm> parse_term(const std::string& all, std::string_view term) {
  EinsumTerm result;
  const size_t dots = term.find("...");
  result.has_ellipsis = dots != std::string_view::npos;
  result.before = term.substr(0, dots);
  if (result.has_ellipsis) result.after = term.substr(dots + 3);
  for (char c : result.before + result.after) {
    if (!is_subscript(c)) {
      return refused_subscripts(all, "hold '" + std::string(1, c) + "', which is no letter");
    }
  }
  return result;
}

std::string expanded(const EinsumTerm& term, size_t covered) {
  std::string letters = term.before;
  for (size_t left = covered; left > 0; --left) letters += static_cast<char>('0' + left - 1);
  return letters + term.after;
}

// Without an arrow: the axes of the ellipsis, then the letters that stand once, sorted.
std::string implied_output(const std::vector<std::string>& inputs, size_t covered) {
  std::map<char, int> uses;
  for (const std::string& letters : inputs) {
    for (char letter : letters) ++uses[letter];
  }
  std::string output = expanded({}, covered);
  for (const auto& [letter, count] : uses) {
    if (is_subscript(letter) && count == 1) output += letter;
  }
  return output;
}

std::vector<std::string> split_terms(const std::string& text) {
  std::vector<std::string> terms(1);
  for (char c : text) {
    if (c == ',') {
      terms.emplace_back();
    } else {
      terms.back() += c;
    }
  }
  return terms;
}

std::map<char, PrimExpr> letter_extents(const Subscripts& subscripts,
                                        const std::vector<te::Tensor>& operands) {
  std::map<char, PrimExpr> extents;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Indices shape = te::shape_of(operands[i]);
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      PrimExpr& extent = extents.emplace(subscripts.inputs[i][axis], shape[axis]).first->second;
      extent = joined_extent(extent, shape[axis]);
    }
  }
  return extents;
}

}  // namespace

Result<Subscripts> parse_subscripts(const std::string& given, const std::vector<size_t>& ranks) {
  std::string text = given;
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  Subscripts result;
  std::optional<std::string> output;
  if (const size_t arrow = text.find("->"); arrow != std::string::npos) {
    output = text.substr(arrow + 2);
    text.resize(arrow);
  }
  const std::vector<std::string> terms = split_terms(text);
  if (terms.size() != ranks.size()) {
    return refused_subscripts(given, "name " + std::to_string(terms.size()) + " operands, " +
                                         std::to_string(ranks.size()) + " are given");
  }
  size_t covered = 0;
  for (size_t i = 0; i < terms.size(); ++i) {
    FX_TRY(term, parse_term(given, terms[i]));
    if (term.written() > ranks[i] || (!term.has_ellipsis && term.written() != ranks[i])) {
      return refused_subscripts(given, "give operand " + std::to_string(i) + " " +
                                           std::to_string(term.written()) + " axes, it has " +
                                           std::to_string(ranks[i]));
    }
    const size_t behind_ellipsis = ranks[i] - term.written();
    if (behind_ellipsis > 10) {
      return refused_subscripts(given, "cover more than 10 axes with an ellipsis");
    }
    covered = std::max(covered, behind_ellipsis);
    result.inputs.push_back(expanded(term, behind_ellipsis));
  }
  if (!output) {
    result.output = implied_output(result.inputs, covered);
    return result;
  }
  FX_TRY(term, parse_term(given, *output));
  result.output = expanded(term, term.has_ellipsis ? covered : 0);
  std::string known;
  for (const std::string& letters : result.inputs) known += letters;
  for (size_t i = 0; i < result.output.size(); ++i) {
    const char letter = result.output[i];
    if (known.find(letter) == std::string::npos ||
        result.output.find(letter, i + 1) != std::string::npos) {
      return refused_subscripts(given, "give the result '" + std::string(1, letter) +
                                           "', which no operand has or which stands twice");
    }
  }
  return result;
}

PrimExpr joined_extent(const PrimExpr& a, const PrimExpr& b) {
  const std::optional<int64_t> x = tir::as_int(a), y = tir::as_int(b);
  if (x == 1) return b;
  if (y == 1) return a;
  if (x && y) return *x == *y ? a : nullptr;
  if (x) return b;
  return y || same_extent(a, b) ? a : nullptr;
}

te::Tensor einsum(const Subscripts& subscripts, const std::vector<te::Tensor>& operands) {
  const std::map<char, PrimExpr> extents = letter_extents(subscripts, operands);
  Indices shape;
  for (char letter : subscripts.output) shape.push_back(extents.at(letter));
  // Sums run over the axes of an ellipsis first, from its left, then over the letters, sorted.
  std::string summed;
  for (const auto& [letter, extent] : extents) {
    if (subscripts.output.find(letter) != std::string::npos) continue;
    summed.insert(is_subscript(letter) ? summed.end() : summed.begin(), letter);
  }
  std::vector<te::IterVar> reduced;
  std::map<char, PrimExpr> indices;
  for (char letter : summed) {
    const std::string name = is_subscript(letter) ? std::string(1, letter) : "k";
    reduced.push_back(reduce_over(extents.at(letter), name));
    indices[letter] = te::var_of(reduced.back());
  }
  return te::compute(shape, cpp_style("T_einsum", shape.size()), [&](const Indices& own) {
    for (size_t i = 0; i < own.size(); ++i) indices[subscripts.output[i]] = own[i];
    PrimExpr product;
    for (size_t i = 0; i < operands.size(); ++i) {
      const Indices operand_shape = te::shape_of(operands[i]);
      Indices at;
      for (size_t axis = 0; axis < operand_shape.size(); ++axis) {
        const char letter = subscripts.inputs[i][axis];
        const bool repeats = tir::is_one(operand_shape[axis]) && !tir::is_one(extents.at(letter));
        at.push_back(repeats ? imm_like(operand_shape[axis], 0) : indices.at(letter));
      }
      const PrimExpr element = te::read(operands[i], at);
      product = product ? tir::mul(product, element) : element;
    }
    // A sum over nothing has no term to start from.
    for (char letter : summed) {
      if (tir::is_zero(extents.at(letter))) return tir::const_of(product->dtype, 0);
    }
    return reduced.empty() ? product : te::sum(product, reduced);
  });
}

te::Tensor outer(const te::Tensor& a, const te::Tensor& b) {
  const PrimExpr rows = te::shape_of(a)[0], columns = te::shape_of(b)[0];
  te::ComputeOptions options = python_style("outer");
  options.axis_names = {"i", "j"};
  return te::compute({rows, columns}, options, [&](const Indices& i) {
    return tir::mul(te::read(a, {i[0]}), te::read(b, {i[1]}));
  });
}

}  // namespace fx2wasm::topi
