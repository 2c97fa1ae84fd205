# Compiler settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -O3 makes the compiler larger, not faster; -DNDEBUG only concerns libraries (FX_CHECK stays).
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(EMSCRIPTEN)
  # A page waits for its download: -Oz is 40 % smaller and still compiles a graph in milliseconds.
  set(CMAKE_CXX_FLAGS_RELEASE "-Oz -DNDEBUG")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT EMSCRIPTEN)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()

add_library(fx2wasm_settings INTERFACE)
target_compile_options(fx2wasm_settings INTERFACE -Wall -Wextra -Wconversion -Werror)
if(FX2WASM_SANITIZE)
  set(FX2WASM_SANITIZE_FLAGS
      -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  # Line tables are all that a report needs; full debug information doubles the build.
  target_compile_options(fx2wasm_settings INTERFACE ${FX2WASM_SANITIZE_FLAGS} -g1)
  target_link_options(fx2wasm_settings INTERFACE ${FX2WASM_SANITIZE_FLAGS})
endif()
if(FX2WASM_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "FX2WASM_FUZZ needs Clang: libFuzzer is a part of it")
  endif()
  # The assertions of
  # libstdc++ catch an index or an empty optional that AddressSanitizer cannot see.
  target_compile_options(fx2wasm_settings INTERFACE -fsanitize=fuzzer-no-link,address -g1
                                                    -fno-omit-frame-pointer)
  target_compile_definitions(fx2wasm_settings INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(fx2wasm_settings INTERFACE -fsanitize=address)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 reports members of a std::variant that another alternative never wrote.
  target_compile_options(fx2wasm_settings INTERFACE -Wno-maybe-uninitialized)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    # And, when it optimises, overlapping copies in `"text" + std::string` and writes past the end
    # of a vector that just grew (GCC bugs 105651, 105705).
    target_compile_options(fx2wasm_settings INTERFACE -Wno-restrict -Wno-array-bounds
                                                      -Wno-stringop-overflow)
  endif()
endif()
