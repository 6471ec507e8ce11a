// The program ends inside of branches that data decide about. An affine condition is checked for all iterations, a condition on data where the program comes to it: what other data guard is not
// read. Where an iteration ends the program the original runs and ends there.
// poly: optimizes within_size gathered decided_twice by_case
// poly: one scop within_size
// poly: one scop gathered
// poly: one scop decided_twice
#include "check.h"
#include "ends.h"
#include "pages.h"

enum { N = 24 };
static double a[N], b[N * N];
static int p[N], q[N];

__attribute__((noinline, noreturn)) static void end(const char *what, int i, int j) {
  printf("%s ends at %d, %d: %a %a\n", what, i, j, b[0], b[N * N - 1]);
  longjmp(back, 1);
}

// A bounds check of the counter.
TEST_FUNCTION within_size(int n, int size, const double *restrict v, double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (v[j] > 0) {
        if (j >= size)
          end("within_size", i, j);
        B[j][i] += v[j];
      }
}

// A bounds check of an index, which is there only for positive elements.
TEST_FUNCTION gathered(int n, int size, const double *restrict v, const int *restrict index, double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (v[j] > 0) {
        int k = index[j];
        if ((unsigned)k >= (unsigned)size)
          end("gathered", i, j);
        B[i][k] += v[j];
      }
}

// The second decision is made in the first branch, by either of two conditions.
TEST_FUNCTION decided_twice(int n, int size, const double *restrict v, const int *restrict r, const int *restrict s,
                            double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (v[j] > 0) {
        int k = r[j];
        if (k > 4 || v[j] < 3) {
          if (s[k] >= size)
            end("decided_twice", i, j);
          B[j][i] += v[j];
        } else
          B[j][i] -= k;
      }
}

// A switch decides.
TEST_FUNCTION by_case(int n, const int *restrict r, const int *restrict s, double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      switch (r[j] % 4) {
      case 0:
        if (s[r[j]] == 77)
          end("by_case", i, j);
        B[j][i] += 1;
        break;
      case 2:
        B[j][i] *= 0.5;
        break;
      case 3:
        if (s[r[j] + 1] == 77)
          end("by_case again", i, j);
        B[j][i] -= 0.25;
        break;
      default:
        break;
      }
}

// Whether the program comes to the branch depends on what the loops write.
TEST_FUNCTION written(int n, const int *restrict s, double B[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (B[i][j] > 1) {
        if (s[j] == 77)
          end("written", i, j);
        B[i][j] -= 1;
      }
}

int main(void) {
  static const int sizes[] = {1, 2, 13, N};
  for (volatile int s = 0; s < 4; s++) {
    int n = (int)hidden(sizes[s]), size = n / 2 + 1, cases[N];
    // Indices are there for positive elements only, and end where nothing can be read.
    int *index = bounded((size_t)size * sizeof(int), 1);
    FILL(b, N * N, 2);
    for (int j = 0; j < N; j++) {
      a[j] = j < size ? 3 - j % 5 : -j;
      q[j] = (j * 7) % N;
      p[j] = a[j] > 0 ? (j * 5) % N : 1 << 29;
      cases[j] = j % 4 == 0 ? 4 * (j % 6) : j % 4 == 3 ? 4 * (j % 5) + 3 : (1 << 28) + j % 4;
    }
    for (int j = 0; j < size; j++)
      index[j] = a[j] > 0 ? (j * 3) % n : 1 << 28;
    for (volatile int i = -1; i < size; i++) {
      // Nowhere, then at every place.
      int bad = i >= 0, at = bad ? i : 0;
      TRY(within_size(n, (int)hidden(bad ? i : n), a, (void *)b));
      WITH(index[at], bad ? n : index[at], TRY(gathered(n, n, a, index, (void *)b)));
      WITH(index[at], bad ? -1 : index[at], TRY(gathered(n, n, a, index, (void *)b)));
      WITH(q[p[at] % N], bad ? N + i : q[p[at] % N], TRY(decided_twice(n, N, a, p, q, (void *)b)));
      WITH(q[4 * (at % 6)], bad ? 77 : q[4 * (at % 6)], TRY(by_case(n, cases, q, (void *)b)));
      WITH(q[at], bad ? 77 : q[at], TRY(written(n, q, (void *)b)));
    }
    SHOW("b", b, N * N);
  }
  return 0;
}
