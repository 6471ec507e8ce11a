// DOACROSS loops over blocks, with GNU's OpenMP runtime.

// REQUIRES: gomp
// RUN: %clang -O2 %S/doacross.c -o %t.expected && %t.expected > %t.txt
// RUN: env POLY_OPTS='parallel;force;process-unprofitable;block-size=8;omp-runtime=gnu' %clang -O2 %withpoly %S/doacross.c -o %t.1 -lgomp
// RUN: env OMP_NUM_THREADS=1 %t.1 | cmp - %t.txt
// RUN: env OMP_NUM_THREADS=3 %t.1 | cmp - %t.txt
// RUN: env OMP_NUM_THREADS=17 %t.1 | cmp - %t.txt
