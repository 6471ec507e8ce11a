// Memory that ends or begins where nothing can be accessed.

#ifndef POLY_TEST_PAGES_H
#define POLY_TEST_PAGES_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// An array of this many bytes between pages that cannot be accessed, at the end or at the beginning of what is between them.
static inline void *bounded(size_t bytes, int at_end) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (bytes + page - 1) / page * page;
  char *all = mmap(NULL, inside + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all + page, inside, PROT_READ | PROT_WRITE) != 0)
    exit(2);
  return all + page + (at_end ? inside - bytes : 0);
}

#endif
