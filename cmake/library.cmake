# One static library and one GoogleTest program per folder of core/: core/te/*.cpp is fx2wasm_te,
# core/te/*_test.cpp is te_test.

# Who only wants the compiler need not have GoogleTest; `./run test` installs it, and ctest is told
# that no test at all is an error. Fuzzing is a build of its own.
if(NOT EMSCRIPTEN AND NOT FX2WASM_FUZZ)
  find_package(GTest QUIET)
  if(GTest_FOUND)
    include(GoogleTest)
  else()
    message(STATUS "GoogleTest (libgtest-dev) is not here: the tests are not built")
  endif()
endif()

# Several sources as one translation unit: our headers and the standard library's are most of the
# work, so that a build from nothing takes a third of the time. Presets for development leave it off.
option(FX2WASM_UNITY "Compile the sources of a folder together" OFF)
function(fx2wasm_unity target)
  # core/parse keeps its files apart: each form of the text has a function of the same name.
  if(FX2WASM_UNITY AND NOT target STREQUAL "fx2wasm_parse")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  endif()
endfunction()

# fx2wasm_test(NAME LIBRARIES... SOURCES...)
function(fx2wasm_test name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;SOURCES" ${ARGN})
  if(EMSCRIPTEN OR NOT GTest_FOUND OR NOT ARG_SOURCES)
    return()
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} fx2wasm_settings GTest::gtest_main)
  target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}/core")
  target_compile_definitions(${name} PRIVATE FX2WASM_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 300)
endfunction()

# fx2wasm_library(FOLDER DEPENDS folders...)
function(fx2wasm_library folder)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/core/${folder}/*.cpp")
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM ARG_DEPENDS PREPEND "fx2wasm_")
  if(sources)
    add_library(fx2wasm_${folder} STATIC ${sources})
    set(kind PUBLIC)
    target_link_libraries(fx2wasm_${folder} PRIVATE fx2wasm_settings)
    fx2wasm_unity(fx2wasm_${folder})
    # Users' mistakes are values (support/result.h), never exceptions.
    target_compile_options(fx2wasm_${folder} PRIVATE -fno-exceptions)
    set_property(GLOBAL APPEND PROPERTY FX2WASM_CORE_LIBRARIES fx2wasm_${folder})
  else()
    add_library(fx2wasm_${folder} INTERFACE)
    set(kind INTERFACE)
  endif()
  target_include_directories(fx2wasm_${folder} ${kind} "${CMAKE_SOURCE_DIR}/core")
  target_link_libraries(fx2wasm_${folder} ${kind} ${ARG_DEPENDS})
  # Tests may use the whole core: a printed text is the plainest way to say what is expected.
  fx2wasm_test(${folder}_test LIBRARIES fx2wasm_core SOURCES ${tests})
endfunction()

# fx2wasm_core: all folders together.
function(fx2wasm_core_library)
  add_library(fx2wasm_core INTERFACE)
  target_link_libraries(
    fx2wasm_core INTERFACE fx2wasm_report fx2wasm_transform fx2wasm_schedule fx2wasm_print
                           fx2wasm_parse fx2wasm_interp)
endfunction()
