# Headers that are parsed once: for the command line, for the window's modules, for their tests, and for all other tests. Options
# must be the same as those of the targets that use the parsed headers, so each has the Qt definitions that all its users share.
option(SG_PRECOMPILE "Parse common headers once" ON)

# sg_precompile(name header.h [PLAIN] [OPTIONS …] [LINKS …] [SEES …]): PLAIN uses no Qt;
# SEES names targets whose headers it uses, without their definitions.
function(sg_precompile name header)
  cmake_parse_arguments(ARG "PLAIN" "" "OPTIONS;LINKS;SEES" ${ARGN})
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "// Its header is what it is for.\n")
  add_library(${name} OBJECT ${source})
  target_compile_options(${name} PRIVATE ${ARG_OPTIONS})
  target_link_libraries(${name} PRIVATE sg_flags ${ARG_LINKS})
  if(NOT ARG_PLAIN)
    target_link_libraries(${name} PRIVATE sg_qt_flags)
  endif()
  foreach(library IN LISTS ARG_SEES)
    target_include_directories(${name} SYSTEM PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
  endforeach()
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/packaging/cmake/headers/${header})
endfunction()

function(sg_use_headers target name)
  if(TARGET ${name})
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()

function(sg_precompile_headers)
  if(NOT SG_PRECOMPILE)
    return()
  endif()
  sg_precompile(sg_plain_headers standard.h PLAIN)
  set(test_options $<$<CONFIG:Release>:-O0>) # as sg_add_tests() has it
  set(window_options $<$<CONFIG:Release>:-O1>) # as sg_add_library() has it
  if(SG_BUILD_UI)
    sg_precompile(sg_window_headers window.h OPTIONS ${window_options} LINKS Qt6::Core SEES Qt6::Gui Qt6::Widgets)
    sg_precompile(sg_window_test_headers window.h OPTIONS ${test_options} LINKS Qt6::Core SEES Qt6::Gui Qt6::Widgets)
  endif()
  if(TARGET Qt6::Test)
    sg_precompile(sg_test_headers tests.h OPTIONS ${test_options} -DQT_TESTLIB_LIB LINKS Qt6::Core SEES Qt6::Test)
  endif()
endfunction()
