option(SG_WERROR "Treat warnings as errors (CI and dev presets)" OFF)
set(SG_SANITIZE "" CACHE STRING "e.g. address,undefined or thread")

add_library(sg_flags INTERFACE)
target_compile_features(sg_flags INTERFACE cxx_std_20)
target_include_directories(sg_flags INTERFACE ${PROJECT_SOURCE_DIR}) # "core/engine/loop/run_loop.h"
target_compile_definitions(sg_flags INTERFACE JSON_USE_IMPLICIT_CONVERSIONS=0)
target_compile_options(sg_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  $<$<BOOL:${SG_WERROR}>:-Werror>
  # GCC 12 sees these falsely in optimized std::string code (its bugs 105651 and 105329); Debug builds keep them.
  $<$<CONFIG:Release>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>)
target_link_libraries(sg_flags INTERFACE Threads::Threads)
if(SG_SANITIZE)
  # Undefined behaviour would only be printed, and a test that passes prints nothing.
  target_compile_options(sg_flags INTERFACE -fsanitize=${SG_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(sg_flags INTERFACE -fsanitize=${SG_SANITIZE})
endif()
find_program(SG_MOLD mold)
if(SG_MOLD AND NOT SG_SANITIZE)
  target_link_options(sg_flags INTERFACE -fuse-ld=mold)
endif()

add_library(sg_qt_flags INTERFACE)
target_compile_definitions(sg_qt_flags INTERFACE QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII
  QT_NO_CAST_TO_ASCII QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_DISABLE_DEPRECATED_BEFORE=0x060400)

# The path is absolute: a relative name would be listed in the dependencies as a file that never exists, and every build would
# run moc for everything again.
set(CMAKE_AUTOMOC_MOC_OPTIONS --include ${CMAKE_CURRENT_LIST_DIR}/moc_prelude.h)

# sg_add_library(name [QT] [INTERFACE_ONLY] SOURCES … DEPENDS …)  ->  target sg_name, alias sg::name
# Sources are relative to the folder that calls it.
function(sg_add_library name)
  cmake_parse_arguments(ARG "QT;INTERFACE_ONLY" "" "SOURCES;DEPENDS" ${ARGN})
  if(ARG_INTERFACE_ONLY)
    add_library(sg_${name} INTERFACE)
    target_link_libraries(sg_${name} INTERFACE sg_flags ${ARG_DEPENDS})
  else()
    add_library(sg_${name} STATIC ${ARG_SOURCES})
    target_link_libraries(sg_${name} PUBLIC sg_flags ${ARG_DEPENDS})
    if(ARG_QT)
      set_target_properties(sg_${name} PROPERTIES AUTOMOC ON)
      # A window waits for people: -O1 paints as quickly (tests/bench/window) and compiles in two thirds of the time.
      target_compile_options(sg_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
      target_link_libraries(sg_${name} PUBLIC sg_qt_flags)
      sg_use_headers(sg_${name} sg_window_headers)
    else()
      sg_use_headers(sg_${name} sg_plain_headers)
    endif()
  endif()
  add_library(sg::${name} ALIAS sg_${name})
endfunction()

# The programs, for people who use them; the benches, for those who measure them.
add_custom_target(programs)
add_custom_target(benches)
add_custom_target(tests)

# The environment of every test; SG_REQUIRE and the like come from the caller of ctest.
# Tests run in parallel, so none waits for another's sessions to end.
set(sg_test_environment "SANDGLASS_SESSIONS_MEMORY_MB=0;QT_QPA_PLATFORM=offscreen;QT_FATAL_WARNINGS=1;TSAN_OPTIONS=die_after_fork=0:suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp")

# An executable that tests are compiled into: `name` in build/PRESET/tests.
function(sg_add_test_executable name)
  add_executable(${name})
  add_dependencies(tests ${name})
  set_target_properties(${name} PROPERTIES AUTOMOC ON UNITY_BUILD OFF RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE SG_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SG_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>) # a test is run once, and compiled twice as fast
  # Qt tells each test its own folders; no test asks, and headers compiled beforehand cannot know them.
  target_compile_options(${name} PRIVATE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  target_link_libraries(${name} PRIVATE sg_flags sg_qt_flags Qt6::Test)
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/tests/(ui|bench/window)")
    sg_use_headers(${name} sg_window_test_headers)
  else()
    sg_use_headers(${name} sg_test_headers)
  endif()
endfunction()

# sg_add_test(tst_x.cpp DEPENDS … [NEEDS program …] [LABELS …] [TIMEOUT seconds] [OWN_MAIN])
# A folder's tests are one executable (tests/support/test_main.h), named after the folder, which ctest starts once a
# source, under the source's name: each has a process of its own. One with OWN_MAIN is an executable of its own.
function(sg_add_test source)
  cmake_parse_arguments(ARG "OWN_MAIN" "TIMEOUT" "DEPENDS;NEEDS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300) # for what hangs: no claim about speed, on a machine that has other work
  endif()
  if(SG_SANITIZE)
    math(EXPR ARG_TIMEOUT "5 * ${ARG_TIMEOUT}") # unoptimized, and watched at every step
  endif()
  get_filename_component(test ${source} NAME_WE)
  file(RELATIVE_PATH executable ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "_" executable ${executable})
  set(arguments ${test})
  if(ARG_OWN_MAIN)
    set(executable ${test})
    set(arguments)
  endif()
  if(NOT TARGET ${executable})
    sg_add_test_executable(${executable})
    if(NOT ARG_OWN_MAIN)
      target_sources(${executable} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/test_main.cpp)
    endif()
  endif()
  target_sources(${executable} PRIVATE ${source})
  target_link_libraries(${executable} PRIVATE ${ARG_DEPENDS})
  if(ARG_NEEDS)
    add_dependencies(${executable} ${ARG_NEEDS})
  endif()
  sg_test_run(${test} EXECUTABLE ${executable} ARGUMENTS ${arguments}
              TIMEOUT ${ARG_TIMEOUT} LABELS ${ARG_LABELS})
endfunction()

# sg_test_run(name EXECUTABLE target [ARGUMENTS …] [LABELS …] [ENVIRONMENT A=b …] [TIMEOUT seconds])
# One ctest entry of an executable that is there already, such as the same test on another backend.
function(sg_test_run name)
  cmake_parse_arguments(ARG "" "EXECUTABLE;TIMEOUT" "ARGUMENTS;LABELS;ENVIRONMENT" ${ARGN})
  add_test(NAME ${name} COMMAND ${ARG_EXECUTABLE} ${ARG_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}" SKIP_RETURN_CODE 77
                       ENVIRONMENT "${sg_test_environment};${ARG_ENVIRONMENT}")
endfunction()
