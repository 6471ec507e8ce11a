/* Times of code from equations beside code written by hand: compare KERNEL SIZE STEPS ROUNDS. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int gemm_c(int64_t n, int64_t m, int64_t l, const double *A, const double *B, double *C);
int lu_c(int n, const double *A, double *L, double *U);
int lu_packed_c(int n, const double *A, double *LU);
int jacobi2d_c(int t, int n, const double *A, double *B);
int nussinov_c(int n, const uint8_t *s, int64_t *pairs);
int gemm(int64_t N, int64_t M, int64_t K, const double *A, const double *B, double *C);
int lu(int64_t N, const double *A, double *L, double *U);
int lu_packed(int64_t N, const double *A, double *F);
int jacobi2d(int64_t N, int64_t T, const double *A, double *B);
int nussinov(int64_t N, const uint8_t *s, int64_t *pairs);

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double *matrix(size_t m) {
  double *a = aligned_alloc(64, (m * 8 + 127) / 64 * 64);
  if (!a) exit(1);
  memset(a, 0, m * 8);
  return a;
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  const char *what = argv[1];
  const int n = atoi(argv[2]), steps = atoi(argv[3]), rounds = atoi(argv[4]);
  const size_t m = (size_t)n * n;
  double *A = matrix(m), *B = matrix(m), *C = matrix(m), *D = matrix(m), *E = matrix(m), *F = matrix(m);
  int64_t pairs = 0, pairs_by_hand = 0;
  uint8_t *s = malloc(n);
  for (size_t i = 0; i < m; i++) A[i] = i * 7 % 1013 / 1013.0, B[i] = i * 5 % 997 / 997.0;
  for (int i = 0; i < n; i++) {
    if (!strncmp(what, "lu", 2)) A[(size_t)i * n + i] += n;
    s[i] = (i * i + i / 3) % 4;
  }
  double hand = 1e9, own = 1e9;
  for (int r = 0; r < rounds; r++) {
    const double begin = now();
    if (!strcmp(what, "gemm")) gemm_c(n, n, n, A, B, C);
    else if (!strcmp(what, "lu")) lu_c(n, A, C, E);
    else if (!strcmp(what, "lu_packed")) lu_packed_c(n, A, C);
    else if (!strcmp(what, "jacobi2d")) jacobi2d_c(steps / 2, n, A, C);
    else nussinov_c(n, s, &pairs_by_hand);
    const double end = now();
    if (end - begin < hand) hand = end - begin;
    /* Both write to the same arrays. */
    memcpy(D, C, m * 8);
    memcpy(F, E, m * 8);
    const double begin_own = now();
    if (!strcmp(what, "gemm")) gemm(n, n, n, A, B, C);
    else if (!strcmp(what, "lu")) lu(n, A, C, E);
    else if (!strcmp(what, "lu_packed")) lu_packed(n, A, C);
    else if (!strcmp(what, "jacobi2d")) jacobi2d(n - 1, steps, A, C);
    else nussinov(n, s, &pairs);
    const double end_own = now();
    if (end_own - begin_own < own) own = end_own - begin_own;
  }
  const int equal = !memcmp(D, C, m * 8) && !memcmp(F, E, m * 8) && pairs == pairs_by_hand;
  printf("%-9s n=%-5d by hand %.4f s, from equations %.4f s, ratio %.2f, %s\n", what, n, hand, own, own / hand,
         equal ? "bit-equal" : "DIFFERENT");
  return !equal;
}
