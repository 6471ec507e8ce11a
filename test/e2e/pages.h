// Memory that ends or begins where nothing can be accessed.

#ifndef POLY_TEST_PAGES_H
#define POLY_TEST_PAGES_H

#include "check.h"

#include <stddef.h>
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

// An array with its first values, between such pages as the variable `at_end` says.
#define ARRAY(type, name, count, seed)                                                                                             \
  type *name = bounded((count) * sizeof(type), at_end);                                                                            \
  FILL(name, count, seed)

// Shows what the elements are, in few digits, and the sizes `n` and `m`.
#define SUM(label, pointer, count)                                                                                                 \
  do {                                                                                                                             \
    const unsigned char *bytes = (const unsigned char *)(pointer);                                                                 \
    uint64_t sum = 14695981039346656037u;                                                                                          \
    for (size_t at = 0; at < (count) * sizeof *(pointer); at++)                                                                    \
      sum = (sum ^ bytes[at]) * 1099511628211u;                                                                                    \
    printf("%s %dx%d: %llx\n", label, n, m, (unsigned long long)sum);                                                              \
  } while (0)

#endif
