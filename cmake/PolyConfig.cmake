# Optimizes targets of a CMake project with Poly.
#
#   find_package(Poly REQUIRED PATHS /path/to/poly)
#   poly_optimize(my_library)
#   poly_optimize(my_program PARALLEL REPORT OPTIONS tile-sizes=32,64)
#
# libpoly.so is looked for beside this file, then where `cargo xtask install` and `cargo xtask build` put it, unless Poly_LIBRARY
# names it. libpoly_rt.a, which programs with irregular loops are linked with, is looked for beside libpoly.so and where
# `cargo xtask install` puts it, unless Poly_RUNTIME names it. The compiler must be a clang of the LLVM version that the plugin
# was built for.

get_filename_component(_poly_here "${CMAKE_CURRENT_LIST_FILE}" DIRECTORY)

# The language whose compiler says which LLVM version is in use.
get_property(_poly_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
foreach(_poly_language IN ITEMS C CXX)
  if(_poly_language IN_LIST _poly_languages AND CMAKE_${_poly_language}_COMPILER_ID STREQUAL "Clang")
    string(REGEX MATCH "^[0-9]+" _poly_llvm "${CMAKE_${_poly_language}_COMPILER_VERSION}")
  endif()
endforeach()

if(NOT _poly_llvm)
  set(Poly_FOUND FALSE)
  set(Poly_NOT_FOUND_MESSAGE "Poly is a plugin of clang: set CMAKE_C_COMPILER or CMAKE_CXX_COMPILER to a clang")
  return()
endif()

find_file(Poly_LIBRARY
  NAMES libpoly.so
  PATHS "${_poly_here}" "${_poly_here}/../../poly/llvm${_poly_llvm}" "${_poly_here}/../target/llvm${_poly_llvm}/poly"
  NO_DEFAULT_PATH
  DOC "The pass plugin libpoly.so, built for LLVM ${_poly_llvm}")

if(NOT Poly_LIBRARY)
  set(Poly_FOUND FALSE)
  set(Poly_NOT_FOUND_MESSAGE
    "libpoly.so for LLVM ${_poly_llvm} was not found: run `cargo xtask build --llvm ${_poly_llvm}` or set Poly_LIBRARY")
  return()
endif()
set(Poly_FOUND TRUE)

get_filename_component(_poly_beside "${Poly_LIBRARY}" DIRECTORY)
find_file(Poly_RUNTIME
  NAMES libpoly_rt.a
  PATHS "${_poly_beside}" "${_poly_beside}/../.."
  NO_DEFAULT_PATH
  DOC "The library libpoly_rt.a, for loops that depend on themselves through index arrays")

find_program(Poly_PROGRAM
  NAMES poly
  PATHS "${_poly_here}/../../../bin" "${_poly_here}/../target/release"
  NO_DEFAULT_PATH
  DOC "The program poly, which writes reports")

# poly_optimize(<target> [PARALLEL] [REPORT] [OPTIONS <word>...])
#
# Compiles the C and C++ sources of the target with Poly. PARALLEL also runs parallel loops with threads and links the OpenMP
# runtime and, if it was found, libpoly_rt.a (also with the programs that a static library becomes a part of); the words of
# OPTIONS are those of docs/options.md. REPORT writes a page about the loops of each source when the target is built:
# <target>-<source>.html in the build folder, with the compile options that the target has when this is called.
function(poly_optimize target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PARALLEL;REPORT" "" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "poly_optimize: unknown argument '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  set(flags "-fplugin=${Poly_LIBRARY}" "-fpass-plugin=${Poly_LIBRARY}")
  if(arg_PARALLEL)
    list(APPEND arg_OPTIONS parallel)
    # A static library is not linked; the programs that it becomes a part of are.
    get_target_property(type ${target} TYPE)
    set(scope PRIVATE)
    if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
      set(scope INTERFACE)
    endif()
    target_link_options(${target} ${scope} -fopenmp)
    if(Poly_RUNTIME)
      # Compiled code refers to it by weak symbols, for which linkers do not look into archives. (It is an option because
      # target_link_libraries does not allow both of its forms for one target.)
      target_link_options(${target} ${scope} "LINKER:-u,poly_rt_enter" "${Poly_RUNTIME}")
    endif()
  endif()
  if(arg_REPORT)
    _poly_report(${target} "${arg_OPTIONS}")
  endif()
  foreach(word IN LISTS arg_OPTIONS)
    string(REGEX REPLACE "^no-(.*)$" "\\1=false" word "${word}")
    list(APPEND flags "SHELL:-mllvm -poly-${word}")
  endforeach()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:C,CXX>:${flags}>")
endfunction()

# Adds the pages about the sources of a target to what is built with it.
function(_poly_report target words)
  if(NOT Poly_PROGRAM)
    message(FATAL_ERROR "poly_optimize: REPORT needs the program poly; set Poly_PROGRAM")
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(options ${target} COMPILE_OPTIONS)
  if(NOT options)
    set(options "")
  endif()
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.c$")
      set(language C)
    elseif(source MATCHES "\\.(cpp|cc|cxx|c\\+\\+|C)$")
      set(language CXX)
    else()
      continue()
    endif()
    separate_arguments(flags UNIX_COMMAND "${CMAKE_${language}_FLAGS} ${CMAKE_${language}_FLAGS_${build}}")
    set(own "--poly-plugin=${Poly_LIBRARY}" "--poly-clang=${CMAKE_${language}_COMPILER}")
    foreach(word IN LISTS words)
      list(APPEND own "--poly-opts=${word}")
    endforeach()
    get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
    get_filename_component(name "${source}" NAME)
    set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND "${Poly_PROGRAM}" report "${path}" -o "${CMAKE_CURRENT_BINARY_DIR}/${target}-${name}.html" --
        ${flags} ${options} ${own}
        "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Writing ${target}-${name}.html")
  endforeach()
endfunction()
