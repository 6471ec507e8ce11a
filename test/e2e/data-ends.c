// The program ends by data: all of it is looked at before the new loops run, in the order of the source. Where an iteration ends the program the original runs and ends there; nothing is
// read that the original does not come to.
// poly: optimizes numbers_only gathered nested in_outer_loop until_zero divided sparse
// poly: one scop numbers_only
// poly: one scop gathered
// poly: one scop nested
#include "check.h"
#include "pages.h"
#include <setjmp.h>

enum { N = 24 };
static double a[N * N], b[N * N], x[N], y[N];
static int p[N], q[N], columns[N * 4];
static jmp_buf back;

__attribute__((noinline, noreturn)) static void end(const char *what, int i, int j) {
  printf("%s ends at %d, %d: %a %a\n", what, i, j, a[0], a[N * N - 1]);
  longjmp(back, 1);
}

// A condition on what is added.
TEST_FUNCTION numbers_only(int n, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (B[j][i] != B[j][i])
        end("numbers_only", i, j);
      A[i][j] += B[j][i];
    }
}

// A bounds check of an index that is loaded. The condition does not depend on the outer loop.
TEST_FUNCTION gathered(int n, int m, int size, const int *restrict index, double C[restrict N][N],
                       double A[restrict N][N], const double *restrict v) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int k = index[j];
      if ((unsigned)k >= (unsigned)size)
        end("gathered", i, j);
      C[i][j] += A[j][i] * v[k];
    }
}

// Conditions one behind the other, the second readable only where the first does not hold.
TEST_FUNCTION nested(int n, const int *restrict r, const int *restrict s, int size, double A[restrict N][N],
                     double B[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    if (r[i] < 0 || r[i] >= size)
      end("nested", i, -1);
    if (s[r[i]] == 77)
      end("nested again", i, -1);
    for (int j = 0; j < n; j++) {
      if (r[j] == s[i] + 1000)
        end("nested inside", i, j);
      A[i][j] += B[j][i];
    }
  }
}

// What is loaded in an outer loop decides in the inner one.
TEST_FUNCTION in_outer_loop(int n, const double *restrict limit, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++) {
    double most = limit[i];
    for (int j = 0; j < n; j++) {
      if (B[j][i] > most)
        end("in_outer_loop", i, j);
      A[i][j] = A[i][j] * 0.5 + B[j][i];
    }
  }
}

// Behind the end nothing can be read.
TEST_FUNCTION until_zero(int n, const int *restrict in, int *restrict out) {
  for (int i = 0; i < n; i++) {
    if (in[i] == 0)
      end("until_zero", i, 0);
    out[i] = in[i] * 3;
  }
}

// Behind the end the division is not possible.
TEST_FUNCTION divided(int n, const int *restrict in, int *restrict out) {
  for (int i = 0; i < n; i++) {
    if (in[i] == 0)
      end("divided", i, 0);
    if (100 / in[i] == 33)
      end("divided again", i, 0);
    out[i] = 100 - in[i];
  }
}

// Rows of the same length, with checked columns.
TEST_FUNCTION sparse(int n, int size, const int *restrict column, const double *restrict value, const double *restrict v,
                     double *restrict w) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 4; k++) {
      int c = column[4 * i + k];
      if (c < 0 || c >= size)
        end("sparse", i, k);
      w[4 * i + k] += value[4 * i + k] * v[c];
    }
}

// What decides is written, too: only a look at the time tells.
TEST_FUNCTION written(int n, double A[restrict N][N], double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (A[j][i] > 1e6)
        end("written", i, j);
      A[i][j] += B[j][i];
    }
}

// The same perhaps: the check of overlaps must come before the look at the data.
TEST_FUNCTION overlapping(int n, int *in, int *out) {
  for (int i = 0; i < n; i++) {
    if (in[i] == 7)
      end("overlapping", i, 0);
    out[i] = in[i] + 1;
  }
}

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

int main(void) {
  FILL(a, N * N, 1);
  FILL(b, N * N, 2);
  FILL(x, N, 3);
  for (int i = 0; i < N; i++) {
    p[i] = (i * 7) % N;
    q[i] = i + 2;
    y[i] = 1e9;
  }
  for (int i = 0; i < N * 4; i++)
    columns[i] = (i * 5) % N;
  static const int sizes[] = {0, 1, 2, 13, N};
  for (volatile int s = 0; s < 5; s++) {
    int n = (int)hidden(sizes[s]);
    int at[] = {0, n / 2, n > 0 ? n - 1 : 0};
    for (volatile int k = -1; k < 3; k++) {
      // Nowhere, then at the first, in the middle, and at the last.
      int i = k < 0 ? 0 : at[k], bad = k >= 0;
      WITH(b[i * N + i], bad ? __builtin_nan("") : b[i * N + i], TRY(numbers_only(n, (void *)a, (void *)b)));
      WITH(p[i], bad ? 100 + i : p[i], TRY(gathered(n, n, (int)hidden(N), p, (void *)a, (void *)b, x)));
      WITH(p[i], bad ? -1 - i : p[i], TRY(gathered(n, 1, (int)hidden(N), p, (void *)a, (void *)b, x)));
      WITH(p[i], bad ? 100 + i : p[i], TRY(nested(n, p, q, (int)hidden(N), (void *)a, (void *)b)));
      WITH(q[p[i]], bad ? 77 : q[p[i]], TRY(nested(n, p, q, (int)hidden(N), (void *)a, (void *)b)));
      WITH(q[i], bad ? p[i] - 1000 : q[i], TRY(nested(n, p, q, (int)hidden(N), (void *)a, (void *)b)));
      WITH(y[i], bad ? -1e9 : 1e9, TRY(in_outer_loop(n, y, (void *)a, (void *)b)));
      WITH(columns[4 * i + 2], bad ? N : columns[4 * i + 2], TRY(sparse(n, (int)hidden(N), columns, b, x, a)));
      WITH(a[i * N], bad ? 1e7 : a[i * N], TRY(written(n, (void *)a, (void *)b)));
      int *numbers = bounded(((size_t)i + 1) * sizeof(int), 1), results[N] = {0}, chain[N + 1];
      for (int j = 0; j <= i; j++)
        numbers[j] = j % 5 + 1 + (j % 5 == 2);
      WITH(numbers[i], bad ? 0 : 9, TRY(until_zero(bad ? n : n < i + 1 ? n : i + 1, numbers, results)));
      WITH(numbers[i], bad ? 0 : 9, TRY(divided(bad ? n : n < i + 1 ? n : i + 1, numbers, results)));
      WITH(numbers[i], bad ? 3 : 9, TRY(divided(n < i + 1 ? n : i + 1, numbers, results)));
      SHOW("results", results, N);
      for (int j = 0; j <= N; j++)
        chain[j] = j + 20;
      WITH(chain[0], bad ? 7 - i : 20, TRY(overlapping(n, chain, chain + 1)));
      SHOW("chain", chain, N + 1);
      TRY(overlapping(n, chain, results));
      SHOW("results", results, N);
    }
  }
  SHOW("a", a, N * N);
  SHOW("y", y, N);
  return 0;
}
