// The program ends by data: all of it is looked at before the new loops run, in the order of the source. Where an iteration ends the program the original runs and ends there; nothing is
// read that the original does not come to.
// poly: optimizes numbers_only gathered nested in_outer_loop until_zero divided sparse
// poly: optimizes checked_elements checked_updates
// poly: one scop numbers_only
// poly: one scop gathered
// poly: one scop nested
#include "check.h"
#include "ends.h"
#include "pages.h"

enum { N = 24 };
static double a[N * N], b[N * N], x[N], y[N];
static int p[N], q[N], columns[N * 4];
static unsigned numbers_of_elements[N];

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

// What is tested bounds what is accessed: arrays may overlap.
TEST_FUNCTION checked_elements(long n, long m, const unsigned *index, unsigned size, double *sum, const double *A,
                               const double *v) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++) {
      unsigned k = index[j];
      if (k >= size)
        end("checked_elements", (int)i, (int)j);
      sum[i] = sum[i] * 0.5 + A[j * N + i] * v[k + 1l];
    }
}

TEST_FUNCTION checked_updates(int n, int m, const int *index, int size, int *count, const int *more) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      int k = index[j];
      if ((unsigned)k > (unsigned)size)
        end("checked_updates", i, j);
      count[k] = count[k] * 3 % 1000 + more[i];
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
      double few[2 * N], *sum = few + N / 2;
      FILL(few, 2 * N, 5);
      for (volatile int from = 0; from < 2; from++) {
        // What is read begins behind the sums, or in front of them and reaches into them.
        const double *v = from ? few : few + N / 2 + n - 1;
        unsigned size = N / 2;
        for (int j = 0; j < N; j++)
          numbers_of_elements[j] = (unsigned)j % size;
        WITH(numbers_of_elements[i], bad ? size : 0, TRY(checked_elements(n, n, numbers_of_elements, size, sum, b, v)));
        SHOW("few", few, 2 * N);
      }
      int counts[3 * N];
      for (int j = 0; j < 3 * N; j++)
        counts[j] = j % 7;
      WITH(counts[i], bad ? -1 : 3, TRY(checked_updates(n, n, counts, (int)hidden(N - 1), counts + N, counts + 2 * N)));
      WITH(counts[i], bad ? N : 3, TRY(checked_updates(n, n, counts, (int)hidden(N - 1), counts + N, counts + 2 * N)));
      TRY(checked_updates(n, n, counts, (int)hidden(-5), counts + N, counts + 2 * N));
      TRY(checked_updates(n, n, counts, (int)hidden(N), counts + N, counts + 2 * N));
      TRY(checked_updates(n, n, counts, (int)hidden(N), counts, counts + 2 * N));
      SHOW("counts", counts, 3 * N);
      TRY(overlapping(n, chain, results));
      SHOW("results", results, N);
    }
  }
  SHOW("a", a, N * N);
  SHOW("y", y, N);
  return 0;
}
