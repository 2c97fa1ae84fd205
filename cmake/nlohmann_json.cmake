# nlohmann/json 3.12: the first version whose values know their place in the text. `./run` brings
# it from PyPI into build/deps; elsewhere CMake fetches the release.
add_library(fx2wasm_nlohmann_json INTERFACE)
target_compile_definitions(
  fx2wasm_nlohmann_json INTERFACE JSON_DIAGNOSTIC_POSITIONS=1 JSON_NOEXCEPTION=1)

find_path(
  NLOHMANN_JSON_INCLUDE nlohmann/json.hpp
  PATHS "${CMAKE_SOURCE_DIR}/build/deps/nlohmann_json/include"
  NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
if(NLOHMANN_JSON_INCLUDE)
  target_include_directories(
    fx2wasm_nlohmann_json SYSTEM INTERFACE "${NLOHMANN_JSON_INCLUDE}")
else()
  include(FetchContent)
  FetchContent_Declare(
    json
    URL https://github.com/nlohmann/json/releases/download/v3.12.0/json.tar.xz
    URL_HASH SHA256=42f6e95cad6ec532fd372391373363b62a14af6d771056dbfc86160e6dfff7aa)
  FetchContent_MakeAvailable(json)
  target_link_libraries(fx2wasm_nlohmann_json INTERFACE nlohmann_json::nlohmann_json)
endif()
