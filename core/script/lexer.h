// Text of the small Python → tokens, with Python's indentation as Indent and Dedent.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "script/ast.h"
#include "support/result.h"

namespace fx2wasm::script {

enum class TokenKind { Newline, Indent, Dedent, Word, Integer, Float, String, Symbol, End };

struct Token {
  TokenKind kind = TokenKind::End;
  std::string text;  // the word or symbol; a string's contents with its escapes resolved
  int64_t integer = 0;
  double real = 0;
  Position at;
};

// What `\xNN` in a string is: Python's character U+00NN, or, as TVM's printer writes strings, a
// byte.
enum class HexEscape { Character, Byte };

// The tokens of a text, ending with End. Fails (FX5001; FX5004 for an integer past 64 bits) at the
// first thing that is no token, without a file in the place.
Result<std::vector<Token>> tokenize(std::string_view text, HexEscape hex = HexEscape::Character);

}  // namespace fx2wasm::script
