/* Tile sizes that a program changes while it runs.
 *
 * With the option `parametric-tiles` of Poly, bands of loops that can be tiled are tiled by sizes that are loaded when the loops begin. Every such band is a nest with a
 * number, which stands in the remark about it (`-Rpass=poly`). Nothing has to be linked: what is declared here is part of the modules that have nests. In a program without nests
 * `poly_set_tile_sizes` is null, and there are no entries.
 */

#ifndef POLY_H
#define POLY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A nest of this program. Nests of copies of a function that was inlined have entries of their own. */
struct poly_nest {
  uint32_t id;             /* Its number: depends on the name of the function, and on the number of nests in the function before it. */
  uint32_t n;              /* How many loops over tiles it has. */
  int64_t *sizes;          /* What their sizes are now, the outermost one first. */
  const int64_t *defaults; /* What they were when the program began. 2^30 stands for all of a loop. */
  const char *function;    /* The function that it is in. */
};

/* The entries of the executable or shared library that this is compiled into, as an array. */
extern struct poly_nest __start_poly_nests[] __attribute__((weak, visibility("hidden")));
extern struct poly_nest __stop_poly_nests[] __attribute__((weak, visibility("hidden")));

#define POLY_FOR_EACH_NEST(nest) for (struct poly_nest *nest = __start_poly_nests; nest != __stop_poly_nests; nest++)

/* Sets the sizes of the first n loops over tiles of all nests with this number; those of others stay. A size less than 1 brings the default back, sizes above 2^30 count as
 * 2^30. Returns how many nests have the number.
 *
 * A nest reads its sizes once, when it begins. Threads that change them while another one begins to execute the nest leave it with old and new sizes, which is as right as any others.
 * The nests are those of the executable or library whose copy of this function is called; other copies are found with dlsym. */
int poly_set_tile_sizes(uint32_t id, uint32_t n, const int64_t *sizes) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
