// R.einsum: sums of products over the letters that the result lacks, straight from the definition.
#include <map>
#include <string>

#include "interp/relax_op.h"
#include "support/check.h"

namespace fx2wasm::interp {
namespace {

// The letters of one operand or of the result. An ellipsis becomes the digits '0', '1', … for the
// axes it covers, counted from the right end, so that operands of different rank share them.
struct Term {
  std::string letters;
  bool fits = true;
};

Term expand(std::string_view text, size_t rank) {
  Term term;
  const size_t dots = text.find("...");
  const size_t written = text.size() - (dots == std::string_view::npos ? 0 : 3);
  term.fits = dots == std::string_view::npos ? written == rank : written <= rank;
  if (!term.fits) return term;
  if (dots == std::string_view::npos) {
    term.letters = text;
    return term;
  }
  term.letters = text.substr(0, dots);
  for (size_t left = rank - written; left > 0; --left) {
    term.letters += static_cast<char>('0' + left - 1);
  }
  term.letters += text.substr(dots + 3);
  return term;
}

std::string without_spaces(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c != ' ') out += c;
  }
  return out;
}

struct Subscripts {
  std::vector<std::string> inputs;
  std::optional<std::string> output;  // absent: the letters that stand once, sorted
};

Subscripts parse(const std::string& written) {
  Subscripts subscripts;
  std::string text = without_spaces(written);
  if (const size_t arrow = text.find("->"); arrow != std::string::npos) {
    subscripts.output = text.substr(arrow + 2);
    text.resize(arrow);
  }
  size_t begin = 0;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find(',', begin), text.size());
    subscripts.inputs.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return subscripts;
}

std::string implicit_output(const std::vector<std::string>& inputs) {
  std::map<char, int> uses;
  for (const std::string& letters : inputs) {
    for (char letter : letters) ++uses[letter];
  }
  std::string digits, letters;
  for (const auto& [letter, count] : uses) {
    if (letter >= '0' && letter <= '9') {
      digits.insert(digits.begin(), letter);
    } else if (count == 1) {
      letters += letter;
    }
  }
  return digits + letters;
}

// How far each letter of `order` moves through a tensor; a repeated letter walks the diagonal, an
// axis of extent 1 is broadcast.
std::vector<int64_t> letter_strides(const Tensor& tensor, const std::string& letters,
                                    const std::string& order) {
  const std::vector<int64_t> own = strides_of(tensor.shape);
  std::vector<int64_t> strides(order.size(), 0);
  for (size_t axis = 0; axis < letters.size(); ++axis) {
    if (tensor.shape[axis] != 1) strides[order.find(letters[axis])] += own[axis];
  }
  return strides;
}

Result<Value> einsum(const OpRun& run) {
  const std::vector<TensorRef> operands = run.tensor_tuple(0);
  const Subscripts subscripts = parse(run.text("subscripts"));
  Tensor out = run.result();
  if (subscripts.inputs.size() != operands.size()) {
    return run.wrong_input("the subscripts name another number of operands");
  }
  std::vector<std::string> inputs;
  std::map<char, int64_t> extents;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Term term = expand(subscripts.inputs[i], operands[i]->shape.size());
    if (!term.fits) return run.wrong_input("the subscripts do not fit an operand's rank");
    for (size_t axis = 0; axis < term.letters.size(); ++axis) {
      int64_t& extent = extents.emplace(term.letters[axis], 1).first->second;
      const int64_t own = operands[i]->shape[axis];
      if (own != 1 && extent != 1 && own != extent) return run.wrong_input("the sizes differ");
      extent = own == 1 ? extent : own;
    }
    inputs.push_back(term.letters);
  }
  const std::string output = subscripts.output
                                 ? expand(*subscripts.output, out.shape.size()).letters
                                 : implicit_output(inputs);
  // The result's letters first: then all terms of one element come one after another.
  std::string order = output;
  for (const auto& entry : extents) {
    if (order.find(entry.first) == std::string::npos) order += entry.first;
  }
  Shape shape;
  for (char letter : order) {
    if (extents.count(letter) == 0) return run.wrong_input("the result has a letter of its own");
    shape.push_back(extents[letter]);
  }
  if (output.size() != out.shape.size()) return run.wrong_input("the result has another rank");
  const int64_t terms = out.count() == 0 ? 0 : element_count(shape) / out.count();
  std::vector<std::vector<int64_t>> strides;
  for (size_t i = 0; i < operands.size(); ++i) {
    strides.push_back(letter_strides(*operands[i], inputs[i], order));
  }
  std::vector<int64_t> index(shape.size(), 0);
  for (int64_t at = 0; at < out.count() && terms > 0; ++at) {
    double sum = 0;
    for (int64_t term = 0; term < terms; ++term) {
      double product = 1;
      for (size_t i = 0; i < operands.size(); ++i) {
        product *= operands[i]->number(offset_of(index, strides[i]));
      }
      sum += product;
      next_index(shape, index);
    }
    out.set_number(at, sum);
  }
  return value_of(std::move(out));
}

const EvaluatorEntry kEinsumTable[] = {{"einsum", einsum}};

}  // namespace

Evaluator find_einsum(std::string_view name) { return find_entry(kEinsumTable, name); }

}  // namespace fx2wasm::interp
