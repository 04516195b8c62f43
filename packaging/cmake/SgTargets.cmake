option(SG_WERROR "Treat warnings as errors (CI and dev presets)" OFF)
set(SG_SANITIZE "" CACHE STRING "e.g. address,undefined or thread")

add_library(sg_flags INTERFACE)
target_compile_features(sg_flags INTERFACE cxx_std_20)
target_include_directories(sg_flags INTERFACE ${PROJECT_SOURCE_DIR}) # "core/engine/run_loop.h"
target_compile_definitions(sg_flags INTERFACE JSON_USE_IMPLICIT_CONVERSIONS=0)
target_compile_options(sg_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast
  $<$<BOOL:${SG_WERROR}>:-Werror>
  $<$<CONFIG:Release>:-Wno-restrict>) # GCC 12 sees it falsely in optimized std::string concatenation (its bug 105651)
target_link_libraries(sg_flags INTERFACE Threads::Threads)
if(SG_SANITIZE)
  target_compile_options(sg_flags INTERFACE -fsanitize=${SG_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(sg_flags INTERFACE -fsanitize=${SG_SANITIZE})
endif()
find_program(SG_MOLD mold)
if(SG_MOLD AND NOT SG_SANITIZE)
  target_link_options(sg_flags INTERFACE -fuse-ld=mold)
endif()

add_library(sg_qt_flags INTERFACE)
target_compile_definitions(sg_qt_flags INTERFACE QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII
  QT_NO_CAST_TO_ASCII QT_NO_NARROWING_CONVERSIONS_IN_CONNECT QT_DISABLE_DEPRECATED_BEFORE=0x060400)

# By its whole path: a name that moc must look for would stand in the dependencies as a file that is never there, and
# every build would run moc for everything again.
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
      target_link_libraries(sg_${name} PUBLIC sg_qt_flags)
      sg_use_headers(sg_${name} sg_window_headers)
    endif()
  endif()
  add_library(sg::${name} ALIAS sg_${name})
endfunction()

# One source file = one test executable = one ctest entry, named after the file.
# sg_add_test(tst_x.cpp DEPENDS … [LABELS …] [TIMEOUT seconds])
function(sg_add_test source)
  cmake_parse_arguments(ARG "" "TIMEOUT" "DEPENDS;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 60)
  endif()
  if(SG_SANITIZE)
    math(EXPR ARG_TIMEOUT "5 * ${ARG_TIMEOUT}") # unoptimized, and watched at every step
  endif()
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE SG_SOURCE_DIR="${PROJECT_SOURCE_DIR}" SG_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>) # a test is run once, and compiled twice as fast
  # Qt tells each test its own folders; no test asks, and headers compiled beforehand cannot know them.
  target_compile_options(${name} PRIVATE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
  target_link_libraries(${name} PRIVATE ${ARG_DEPENDS} sg_flags sg_qt_flags Qt6::Test)
  if(CMAKE_CURRENT_SOURCE_DIR MATCHES "/tests/(ui|bench/window)")
    sg_use_headers(${name} sg_window_test_headers)
  else()
    sg_use_headers(${name} sg_test_headers)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QT_FATAL_WARNINGS=1;TSAN_OPTIONS=die_after_fork=0:suppressions=${PROJECT_SOURCE_DIR}/tests/support/tsan.supp")
endfunction()
