// Tables that small numbers choose elements of: it is known which part can be touched, so it can be told apart from other arrays at run time.
// poly: optimizes mapped
// poly: optimizes counted
// poly: optimizes from_middle
// poly: optimizes masked
// poly: optimizes written
#include "check.h"

#define N 40

TEST_FUNCTION mapped(int n, float *out, const unsigned char *in, const float *table) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[j * N + i] = table[in[i * N + j]];
}

TEST_FUNCTION counted(int n, int *count, const unsigned char *in) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      count[in[j * N + i]] += i + 1;
}

// Negative numbers, too.
TEST_FUNCTION from_middle(int n, double *out, const signed char *in, const double *middle) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i * N + j] += middle[in[j * N + i] * 2 + 1];
}

TEST_FUNCTION masked(int n, double *out, const int *in, const double *table) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i * N + j] += table[in[j * N + i] & 31] * table[(in[i * N + j] & 15) + 4];
}

// The same element may be written several times: the last one counts.
TEST_FUNCTION written(int n, short *table, const unsigned char *in, const short *values) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      table[in[i * N + j]] = values[j * N + i];
}

static unsigned char in[N * N + 300];
static signed char shifts[N * N];
static int numbers[N * N], count[300];
static float out[N * N + 300];
static double wide[2 * N * N], table[N * N];
static short words[N * N + 300], to[300];

int main(void) {
  for (int n = 0; n <= N; n = n * 3 + 1) {
    for (int i = 0; i < N * N; i++) {
      in[i] = (unsigned char)(i * 71 + n);
      shifts[i] = (signed char)(i * 29 + n);
      numbers[i] = i * 37 - 500;
    }
    FILL(out, N * N + 300, n);
    FILL(wide, 2 * N * N, n);
    FILL(table, N * N, n);
    FILL(words, N * N + 300, n);
    int h = (int)hidden(n);
    mapped(h, out, in, out + N * N);
    SHOW("mapped", out, N * N);
    // The table is a part of the result: at its beginning, at its end, and just before it.
    mapped(h, out, in, out);
    SHOW("mapped", out, N * N);
    mapped(h, out + 255, in, out);
    SHOW("mapped", out, N * N);
    mapped(h, out + 256, in, out);
    SHOW("mapped", out, N * N + 256);
    memset(count, 0, sizeof(count));
    counted(h, count, in);
    counted((int)hidden(n / 8), (int *)count + 4, in);
    for (int i = 0; i < 300; i++)
      printf(" %d", count[i]);
    printf("\n");
    from_middle(h, wide, shifts, table + 300);
    from_middle(h, wide + 260, shifts, wide + 255);
    from_middle(h, wide, shifts, wide + N * N + 257);
    SHOW("from_middle", wide, 2 * N * N);
    for (int i = 0; i < 2 * N * N; i++)
      wide[i] *= 0x1p-20;
    masked(h, wide, numbers, table);
    masked(h, wide, numbers, wide + 3);
    SHOW("masked", wide, N * N);
    written(h, to, in, words);
    written(h, words, in, words + 300);
    written(h, words + 30, in, words);
    for (int i = 0; i < 300; i++)
      printf(" %d %d", to[i], words[i]);
    printf("\n");
  }
  return 0;
}
