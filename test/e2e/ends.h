// Functions that may end in the middle, and how to go on.

#ifndef POLY_TEST_ENDS_H
#define POLY_TEST_ENDS_H

#include <setjmp.h>

// Where an end leads to.
static jmp_buf back;

#define TRY(call)                                                                                                                  \
  if (!setjmp(back))                                                                                                               \
  call

// With something at one place, and without.
#define WITH(place, value, call)                                                                                                   \
  do {                                                                                                                             \
    __typeof__(place) before = (place);                                                                                            \
    (place) = (value);                                                                                                             \
    call;                                                                                                                          \
    (place) = before;                                                                                                              \
  } while (0)

#endif
