// Calls inside nests: pure mathematics, functions that write, functions that never return.
#include <math.h>
#include <setjmp.h>

#include "check.h"

#define N 12

static jmp_buf back;
static int visits;

TEST_FUNCTION roots(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = sqrt(fabs(a[i][j])) + fmax(i, j) - floor(a[j][i] * 0.5);
}

TEST_VALUE(double) note(double value) {
  visits++;
  return value * 0.5 + visits;
}

TEST_FUNCTION notes(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = note(a[j][i]);
}

TEST_FUNCTION prints(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      a[i][j] += 1;
      if (i == 3)
        printf("visiting %d %d: %a\n", i, j, a[i][j]);
    }
}

TEST_FUNCTION check(double value) {
  if (value > 11)
    longjmp(back, 1);
}

TEST_FUNCTION jumps(int n, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] += 1;
      check(a[i][j]);
    }
}

TEST_VALUE(int) factorials(int n, uint32_t *a) {
  if (n <= 0)
    return 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i] = a[i] * 3 + (uint32_t)j;
  return factorials(n - 1, a + 1) + 1;
}

TEST_FUNCTION checked(int n, int bad, double a[N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i * N + j == bad) {
        SHOW("bad", &a[0][0], N * N);
        exit(7);
      }
      a[i][j] *= 2;
    }
}

static double a[N][N];
static uint32_t words[N];

int main(void) {
  for (int n = 0; n <= N; n += 3) {
    int h = (int)hidden(n);
    FILL(&a[0][0], N * N, 1);
    FILL(words, N, 2);
    roots(h, a);
    SHOW("roots", &a[0][0], N * N);
    notes(h, a);
    SHOW("notes", &a[0][0], N * N);
    prints(h, a);
    FILL(&a[0][0], N * N, 1);
    if (setjmp(back) == 0)
      jumps(h, a);
    else
      printf("jumped\n");
    SHOW("jumps", &a[0][0], N * N);
    printf("%d\n", factorials(h, words));
    SHOW("factorials", words, N);
  }
  checked((int)hidden(N), (int)hidden(-1), a);
  checked((int)hidden(N), (int)hidden(40), a); // ends the program with status 7
  return 0;
}
