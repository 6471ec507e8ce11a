// Parallel loops run by GNU's OpenMP runtime, with all schedules.

// REQUIRES: gomp
// RUN: %clang -O2 %S/threads.c -o %t.expected -lm && %t.expected > %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-runtime=gnu' %clang -O2 %withpoly %S/threads.c -o %t.1 -lgomp -lm && env OMP_NUM_THREADS=3 %t.1 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-runtime=gnu;omp-schedule=dynamic' %clang -O2 %withpoly %S/threads.c -o %t.2 -lgomp -lm && env OMP_NUM_THREADS=3 %t.2 | cmp - %t.txt
// RUN: env POLY_OPTS='parallel;force;omp-runtime=gnu;omp-schedule=guided;omp-chunk=3' %clang -O2 %withpoly %S/threads.c -o %t.3 -lgomp -lm && env OMP_NUM_THREADS=3 %t.3 | cmp - %t.txt
