// The JSON grammar is nlohmann/json's; the tree is built from its events, because its own document
// type forgets keys that stand twice and how a number was written.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "fx/json_value.h"
#include "fx/syntax_hint.h"
#include "support/check.h"
#include "support/diagnostic_codes.h"
#include "support/limits.h"
#include "support/text.h"

namespace fx2wasm::fx {
namespace {

using nlohmann::json;

// Iterates over the text and shows everybody how far the lexer has read: an event comes right after
// its token's last byte (of a number: after one byte more), which gives every value its place.
struct TextCursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  const char** shared;

  reference operator*() const { return *at; }
  TextCursor& operator++() {
    *shared = ++at;
    return *this;
  }
  bool operator==(const TextCursor& other) const { return at == other.at; }
  bool operator!=(const TextCursor& other) const { return at != other.at; }
};

bool is_number_byte(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

bool is_word_byte(char c) { return is_number_byte(c) || is_identifier({&c, 1}); }

class TreeBuilder : public nlohmann::json_sax<json> {
 public:
  TreeBuilder(std::string_view text, ErrorList& errors)
      : text_(text), errors_(errors), cursor_(text.data()) {}

  TextCursor begin() { return {text_.data(), &cursor_}; }
  TextCursor end() { return {text_.data() + text_.size(), &cursor_}; }
  JsonValue& root() { return root_; }

  bool null() override { return add(nullptr, word_range()); }
  bool boolean(bool value) override { return add(value, word_range()); }
  bool number_integer(number_integer_t value) override { return add(value, number_range()); }

  bool number_unsigned(number_unsigned_t value) override {
    const ByteRange range = number_range();
    if (value > static_cast<number_unsigned_t>(INT64_MAX)) integer_too_large(range);
    return add(static_cast<int64_t>(value), range);
  }

  bool number_float(number_float_t value, const string_t& digits) override {
    const ByteRange range = number_range();
    // The lexer turns integers that do not fit into floats.
    if (digits.find_first_of(".eE") == string_t::npos) integer_too_large(range);
    return add(value, range);
  }

  bool string(string_t& value) override { return add(std::move(value), string_range()); }

  bool binary(binary_t&) override {
    FX_CHECK(false, "JSON text has no binary values");
    return false;
  }

  bool start_object(std::size_t) override { return open(JsonValue::Object{}); }
  bool start_array(std::size_t) override { return open(JsonValue::Array{}); }
  bool end_array() override { return close(); }

  bool end_object() override {
    report_duplicates(*stack_.back()->object());
    return close();
  }

  bool key(string_t& name) override {
    object_of_top().push_back(JsonMember{std::move(name), string_range(), JsonValue{}});
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const std::string_view what = error.what();
    const size_t end = std::min(position, text_.size());
    if (what.find("number overflow") != std::string_view::npos) {
      const ByteRange range = token_before(end);
      errors_.add(range.begin, codes::kJsonNumberRange,
                  quote(text_.substr(range.begin, end - range.begin)) + at_line(range.begin) +
                      " is beyond what a float64 holds",
                  {}, "write {\"float\": \"inf\"} if infinity is meant");
      return false;
    }
    if (position > text_.size()) return text_ends_early();
    const size_t reason_at = what.find(" - ");
    std::string reason(reason_at == std::string_view::npos ? what : what.substr(reason_at + 3));
    const bool in_string = reason.rfind("invalid string", 0) == 0;
    const size_t offset = in_string ? end - (end > 0 ? 1 : 0) : token_before(end).begin;
    reason = reason.substr(0, reason.find("; last read"));
    const std::optional<SyntaxHint> hint = in_string ? std::nullopt : token_hint(text_, offset);
    errors_.add(offset, codes::kJsonSyntax,
                "no valid JSON" + at_line(offset) + ": " + (hint ? hint->message : reason), {},
                hint ? hint->note : "");
    return false;
  }

 private:
  bool add(decltype(JsonValue::value) value, ByteRange range) {
    if (!count_value(range.begin)) return false;
    place_for_next() = JsonValue{std::move(value), range};
    return true;
  }

  bool open(decltype(JsonValue::value) value) {
    const size_t begin = consumed() - 1;
    if (stack_.size() >= static_cast<size_t>(limits::kMaxJsonDepth)) {
      errors_.add(begin, codes::kJsonNesting,
                  "arrays and objects nest deeper than " + std::to_string(limits::kMaxJsonDepth) +
                      " levels" + at_line(begin),
                  {}, "no FX graph needs that: is the text complete and unchanged?");
      return false;
    }
    if (!count_value(begin)) return false;
    JsonValue& slot = place_for_next();
    slot = JsonValue{std::move(value), {begin, begin + 1}};
    stack_.push_back(&slot);
    return true;
  }

  bool count_value(size_t begin) {
    if (++count_ <= limits::kMaxJsonValues) return true;
    errors_.add(begin, codes::kInputTooLarge,
                "the text has more than " + std::to_string(limits::kMaxJsonValues) + " values", {},
                "put the weights into a safetensors file");
    return false;
  }

  bool close() {
    stack_.back()->range.end = consumed();
    stack_.pop_back();
    return true;
  }

  // Pointers to open values stay good: a vector grows only while its newest element is closed.
  JsonValue& place_for_next() {
    if (stack_.empty()) return root_;
    if (auto* array = std::get_if<JsonValue::Array>(&stack_.back()->value)) {
      return array->emplace_back();
    }
    return object_of_top().back().value;
  }

  JsonValue::Object& object_of_top() {
    auto* object = std::get_if<JsonValue::Object>(&stack_.back()->value);
    FX_CHECK(object != nullptr, "a JSON key outside an object");
    return *object;
  }

  void report_duplicates(const JsonValue::Object& members) {
    std::vector<const JsonMember*> sorted;
    for (const JsonMember& member : members) sorted.push_back(&member);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const JsonMember* a, const JsonMember* b) { return a->key < b->key; });
    for (size_t i = 1; i < sorted.size(); ++i) {
      if (sorted[i]->key != sorted[i - 1]->key) continue;
      const size_t offset = sorted[i]->key_range.begin;
      errors_.add(offset, codes::kJsonDuplicateKey,
                  "the key " + quote(sorted[i]->key) + " stands twice in one object", {},
                  "keep one of them: readers of JSON disagree about which one counts");
    }
  }

  void integer_too_large(ByteRange range) {
    const std::string digits(text_.substr(range.begin, range.end - range.begin));
    errors_.add(range.begin, codes::kJsonNumberRange,
                "the integer " + quote(digits) + " does not fit into 64 bits", {},
                "write it with a point if a float is meant");
  }

  bool text_ends_early() {
    const size_t end = skip_space_backwards(text_.size());
    std::string note;
    if (!stack_.empty()) {
      const Place open = place_of(text_, stack_.back()->range.begin);
      note = std::string("the ") + (stack_.back()->array() != nullptr ? "array" : "object") +
             " begun at line " + std::to_string(open.line) + ", column " +
             std::to_string(open.column) + " is not closed: was the whole text copied?";
    }
    errors_.add(end, codes::kJsonSyntax, "the JSON ends too early" + at_line(end), {}, note);
    return false;
  }

  std::string at_line(size_t offset) const {
    const Place place = place_of(text_, offset);
    return " (line " + std::to_string(place.line) + ", column " + std::to_string(place.column) +
           ")";
  }

  size_t consumed() const { return static_cast<size_t>(cursor_ - text_.data()); }

  size_t skip_space_backwards(size_t end) const {
    while (end > 0 && (text_[end - 1] == ' ' || text_[end - 1] == '\n' || text_[end - 1] == '\r' ||
                       text_[end - 1] == '\t')) {
      --end;
    }
    return end;
  }

  ByteRange word_range() const { return token_before(consumed()); }

  ByteRange number_range() const {
    size_t end = consumed();
    if (end > 0 && !is_number_byte(text_[end - 1])) --end;  // the byte that ended the number
    size_t begin = end;
    while (begin > 0 && is_number_byte(text_[begin - 1])) --begin;
    return {begin, end};
  }

  // The string whose closing quote was read last: inside, every quote has a backslash before it.
  ByteRange string_range() const { return {opening_quote(consumed() - 1), consumed()}; }

  size_t opening_quote(size_t closing) const {
    size_t at = closing;
    while (at > 0) {
      at = text_.rfind('"', at - 1);
      if (at == std::string_view::npos) return closing;
      size_t backslashes = 0;
      while (backslashes < at && text_[at - 1 - backslashes] == '\\') ++backslashes;
      if (backslashes % 2 == 0) return at;
    }
    return closing;
  }

  // The token that ends at `end`: a string, a word or number, or one byte.
  ByteRange token_before(size_t end) const {
    if (end == 0) return {0, 0};
    size_t begin = end - 1;
    if (text_[begin] == '"') return {opening_quote(begin), end};
    if (!is_word_byte(text_[begin])) {
      while (begin > 0 && (static_cast<unsigned char>(text_[begin]) & 0xC0U) == 0x80U) --begin;
      return {begin, end};
    }
    while (begin > 0 && is_word_byte(text_[begin - 1])) --begin;
    return {begin, end};
  }

  std::string_view text_;
  ErrorList& errors_;
  const char* cursor_;
  JsonValue root_;
  std::vector<JsonValue*> stack_;
  size_t count_ = 0;
};

}  // namespace

std::optional<JsonValue> parse_json(std::string_view text, ErrorList& errors) {
  const size_t before = errors.size();
  if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
    errors.add(nul, codes::kJsonSyntax, "the text holds a NUL byte, which JSON does not allow");
    return std::nullopt;
  }
  TreeBuilder builder(text, errors);
  const bool complete = json::sax_parse(builder.begin(), builder.end(), &builder);
  if (!complete || errors.size() > before) return std::nullopt;
  return std::move(builder.root());
}

}  // namespace fx2wasm::fx
