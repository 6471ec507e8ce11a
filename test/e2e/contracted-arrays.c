// Intermediate images that only their function sees: new code keeps a few rows of them. Without memory for these the loops run all the same; images of which somebody sees more stay as they are.
// poly: optimizes blur sizes flat unsharp corners three_stages frees_early internal guarded accumulated expression bytes
#include "check.h"

#define H 37
#define W 70
#define MOST 41

TEST_FUNCTION blur(float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return;
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = (in[i][j - 1] + in[i][j] + in[i][j + 1]) / 3.0f;
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = (row[i - 1][j] + row[i][j] + row[i + 1][j]) / 3.0f;
  free(row);
}

TEST_FUNCTION sizes(int h, int w, float in[restrict h][w], float out[restrict h][w]) {
  float(*row)[w] = malloc(sizeof(float) * h * w);
  if (!row)
    return;
  for (int i = 0; i < h; i++)
    for (int j = 2; j < w - 2; j++)
      row[i][j] = in[i][j - 2] + in[i][j + 2] - in[i][j];
  for (int i = 2; i < h - 2; i++)
    for (int j = 2; j < w - 2; j++)
      out[i][j] = row[i - 2][j] + row[i + 2][j] - row[i][j];
  free(row);
}

// One dimension in the source.
TEST_FUNCTION flat(long h, long w, const double *restrict in, double *restrict out) {
  double *row = malloc(sizeof(double) * (size_t)(h * w + 1));
  if (!row)
    return;
  for (long i = 0; i < h; i++)
    for (long j = 0; j < w; j++)
      row[i * w + j] = in[i * w + j] * 0.5;
  for (long i = 1; i < h; i++)
    for (long j = 0; j < w; j++)
      out[i * w + j] = row[i * w + j] - row[(i - 1) * w + j];
  free(row);
}

// Two images, one made of the other.
TEST_FUNCTION unsharp(float in[restrict H][W], float out[restrict H][W]) {
  float(*x)[W] = malloc(sizeof(float) * H * W);
  float(*y)[W] = malloc(sizeof(float) * H * W);
  if (x && y) {
    for (int i = 0; i < H; i++)
      for (int j = 1; j < W - 1; j++)
        x[i][j] = 0.25f * in[i][j - 1] + 0.5f * in[i][j] + 0.25f * in[i][j + 1];
    for (int i = 1; i < H - 1; i++)
      for (int j = 1; j < W - 1; j++)
        y[i][j] = 0.25f * x[i - 1][j] + 0.5f * x[i][j] + 0.25f * x[i + 1][j];
    for (int i = 1; i < H - 1; i++)
      for (int j = 1; j < W - 1; j++)
        out[i][j] = 3.0f * in[i][j] - 2.0f * y[i][j];
  }
  free(x);
  free(y);
}

// Two images that do not need each other go into three, and these into three sums over squares.
TEST_FUNCTION corners(int h, int w, float in[restrict h][w], float out[restrict h][w]) {
#define IMAGE(name) float(*name)[w] = malloc(sizeof(float) * h * w + 1)
#define ALL(border)                                                                                                                \
  for (int i = border; i < h - border; i++)                                                                                        \
    for (int j = border; j < w - border; j++)
#define SQUARE(a)                                                                                                                  \
  (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1] + a[i][j] + a[i][j + 1] + a[i + 1][j - 1] + a[i + 1][j] +          \
   a[i + 1][j + 1])
  IMAGE(x);
  IMAGE(y);
  IMAGE(xx);
  IMAGE(xy);
  IMAGE(yy);
  IMAGE(sxx);
  IMAGE(sxy);
  IMAGE(syy);
  if (x && y && xx && xy && yy && sxx && sxy && syy) {
    ALL(1) x[i][j] = in[i - 1][j + 1] - in[i - 1][j - 1] + 2 * (in[i][j + 1] - in[i][j - 1]) + in[i + 1][j + 1] - in[i + 1][j - 1];
    ALL(1) y[i][j] = in[i + 1][j - 1] - in[i - 1][j - 1] + 2 * (in[i + 1][j] - in[i - 1][j]) + in[i + 1][j + 1] - in[i - 1][j + 1];
    ALL(1) xx[i][j] = x[i][j] * x[i][j];
    ALL(1) xy[i][j] = x[i][j] * y[i][j];
    ALL(1) yy[i][j] = y[i][j] * y[i][j];
    ALL(2) sxx[i][j] = SQUARE(xx);
    ALL(2) sxy[i][j] = SQUARE(xy);
    ALL(2) syy[i][j] = SQUARE(yy);
    ALL(2) out[i][j] = sxx[i][j] * syy[i][j] - sxy[i][j] * sxy[i][j] - 0.04f * (sxx[i][j] + syy[i][j]) * (sxx[i][j] + syy[i][j]);
  }
  free(x), free(y), free(xx), free(xy), free(yy), free(sxx), free(sxy), free(syy);
}

// The first stage runs for every channel again.
TEST_FUNCTION channels(int n, int h, int w, float in[restrict n][h][w], float out[restrict n][h][w]) {
  float(*row)[w] = malloc(sizeof(float) * h * w + 1);
  if (!row)
    return;
  for (int c = 0; c < n; c++) {
    for (int i = 0; i < h; i++)
      for (int j = 1; j < w - 1; j++)
        row[i][j] = in[c][i][j - 1] * 0.5f - in[c][i][j + 1];
    for (int i = 1; i < h - 1; i++)
      for (int j = 1; j < w - 1; j++)
        out[c][i][j] = row[i - 1][j] + row[i][j] * 2.0f - row[i + 1][j];
  }
  free(row);
}

// Squares of 3 x 3 in both stages, and one image is used by two later ones.
TEST_FUNCTION three_stages(int h, int w, int in[restrict h][w], int out[restrict h][w]) {
  int(*a)[w] = malloc(sizeof(int) * h * w + 1), (*b)[w] = malloc(sizeof(int) * h * w + 1);
  if (a && b) {
    for (int i = 1; i < h - 1; i++)
      for (int j = 1; j < w - 1; j++)
        a[i][j] = in[i - 1][j - 1] + in[i][j] * 3 + in[i + 1][j + 1];
    for (int i = 2; i < h - 2; i++)
      for (int j = 2; j < w - 2; j++)
        b[i][j] = a[i - 1][j + 1] - a[i][j] + a[i + 1][j - 1] * 2;
    for (int i = 3; i < h - 3; i++)
      for (int j = 3; j < w - 3; j++)
        out[i][j] = b[i - 1][j] + b[i + 1][j - 1] + a[i + 2][j] - a[i - 2][j + 1];
  }
  free(a);
  free(b);
}

// The border is zero: what was there before is read.
TEST_FUNCTION cleared(float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = calloc((size_t)H * W, sizeof(float));
  if (!row)
    return;
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = in[i][j - 1] + in[i][j + 1];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = row[i - 1][j] + row[i + 1][j];
  free(row);
}

// The same with a row that is written before the loops.
TEST_FUNCTION begun(float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return;
  memset(row, 0, sizeof(float) * W);
  for (int i = 1; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = in[i][j - 1] + in[i][j + 1];
  for (int i = 1; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = row[i - 1][j] + row[i][j];
  free(row);
}

// Somebody reads the image afterwards.
TEST_VALUE(float) seen(int i, int j, float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return 0;
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = in[i][j - 1] + in[i][j + 1];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = row[i - 1][j] + row[i + 1][j];
  float result = row[i][j];
  free(row);
  return result;
}

// Another function reads it.
static float corner(float (*image)[W]) {
  return image[H - 1][W - 2];
}
static float (*volatile read_corner)(float (*)[W]) = corner;

TEST_VALUE(float) shown(float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return 0;
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = in[i][j - 1] + in[i][j + 1];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = row[i - 1][j] + row[i + 1][j];
  float result = read_corner(row);
  free(row);
  return result;
}

// Somebody keeps the pointer.
static float (*kept)[W];

TEST_FUNCTION keeps(float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return;
  kept = row;
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = in[i][j - 1] + in[i][j + 1];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = row[i - 1][j] + row[i + 1][j];
}

// A larger block begins with what the image contains.
TEST_VALUE(float) grows(float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return 0;
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      row[i][j] = in[i][j] + 1.0f;
  for (int i = 1; i < H; i++)
    for (int j = 0; j < W; j++)
      out[i][j] = row[i - 1][j] + row[i][j];
  float(*more)[W] = realloc(row, sizeof(float) * (H + 1) * W);
  if (!more)
    return 0;
  float result = more[H / 2][W / 2];
  free(more);
  return result;
}

// One way out of the function frees the image before it is used.
TEST_FUNCTION frees_early(int is_used, float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return;
  if (!is_used) {
    free(row);
    return;
  }
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = in[i][j - 1] + in[i][j + 1];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = row[i - 1][j] + row[i + 1][j];
  free(row);
}

// The image is a stack variable; its first reads are of rows that come later.
TEST_FUNCTION backwards(float in[restrict H][W], float out[restrict H][W]) {
  float row[H][W];
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      row[i][j] = in[i][j] * 2.0f;
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      out[i][j] = row[H - 1 - i][j] + row[i][j];
}

// Columns of rows: every element has gone by when the last column is reached.
TEST_FUNCTION transposed(int n, float in[restrict n][n], float out[restrict n][n]) {
  float(*t)[n] = malloc(sizeof(float) * n * n + 1);
  if (!t)
    return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      t[i][j] = in[i][j] + 0.5f;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = t[j][i] * 2.0f;
  free(t);
}

// The image belongs to the function for ever, but every call writes it first.
TEST_FUNCTION internal(float in[restrict H][W], float out[restrict H][W]) {
  static float row[H][W];
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = in[i][j - 1] - in[i][j + 1];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = row[i - 1][j] + row[i + 1][j];
}

// This one remembers.
TEST_FUNCTION remembers(float in[restrict H][W], float out[restrict H][W]) {
  static float row[H][W];
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = row[i][j];
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      row[i][j] = in[i][j - 1] - in[i][j + 1];
}

// And this one is seen by another function.
static float common[H][W];

TEST_FUNCTION writes_common(float in[restrict H][W], float out[restrict H][W]) {
  for (int i = 0; i < H; i++)
    for (int j = 1; j < W - 1; j++)
      common[i][j] = in[i][j - 1] - in[i][j + 1];
  for (int i = 1; i < H - 1; i++)
    for (int j = 1; j < W - 1; j++)
      out[i][j] = common[i - 1][j] + common[i + 1][j];
}

TEST_VALUE(float) reads_common(int i, int j) {
  return common[i][j];
}

// Elements are written where the data say so, and then again.
TEST_FUNCTION guarded(float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return;
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++) {
      row[i][j] = in[i][j];
      if (in[i][j] > 0.0f)
        row[i][j] = in[i][j] * 3.0f;
    }
  for (int i = 2; i < H; i++)
    for (int j = 0; j < W; j++)
      out[i][j] = row[i - 2][j] + row[i][j];
  free(row);
}

// What was written is written again with more.
TEST_FUNCTION accumulated(float in[restrict H][W], float out[restrict H][W]) {
  float(*row)[W] = malloc(sizeof(float) * H * W);
  if (!row)
    return;
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      row[i][j] = in[i][j] * 0.5f;
  for (int i = 1; i < H; i++)
    for (int j = 0; j < W; j++)
      row[i][j] += in[i - 1][j];
  for (int i = 1; i < H - 1; i++)
    for (int j = 0; j < W; j++)
      out[i][j] = row[i - 1][j] + row[i + 1][j];
  free(row);
}

// The image is made anew in every step.
TEST_FUNCTION steps(int n, double a[restrict H][W]) {
  double(*b)[W] = malloc(sizeof(double) * H * W);
  if (!b)
    return;
  for (int t = 0; t < n; t++) {
    for (int i = 1; i < H - 1; i++)
      for (int j = 1; j < W - 1; j++)
        b[i][j] = 0.2 * (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]);
    for (int i = 1; i < H - 1; i++)
      for (int j = 1; j < W - 1; j++)
        a[i][j] = b[i][j];
  }
  free(b);
}

// Every second row and column, and back.
TEST_FUNCTION pyramid(float in[restrict 2 * H][2 * W], float out[restrict 2 * H][2 * W]) {
  float(*half)[W] = malloc(sizeof(float) * H * W);
  if (!half)
    return;
  for (int i = 0; i < H; i++)
    for (int j = 0; j < W; j++)
      half[i][j] = in[2 * i][2 * j] + in[2 * i + 1][2 * j + 1];
  for (int i = 0; i < 2 * H - 2; i++)
    for (int j = 0; j < 2 * W; j++)
      out[i][j] = half[i / 2][j / 2] + half[i / 2 + 1][j / 2];
  free(half);
}

// Expressions of vectors, one temporary each.
TEST_FUNCTION expression(long n, const double *restrict a, const double *restrict b, const double *restrict c,
                         const double *restrict d, double *restrict result) {
  double *ab = malloc(sizeof(double) * (size_t)(n + 1)), *cd = malloc(sizeof(double) * (size_t)(n + 1));
  if (ab && cd) {
    for (long i = 0; i < n; i++)
      ab[i] = a[i] * b[i];
    for (long i = 0; i < n; i++)
      cd[i] = c[i] * d[i];
    for (long i = 0; i < n; i++)
      result[i] = ab[i] - cd[i];
  }
  free(ab);
  free(cd);
}

// Of one matrix all is used, of the product only a row at a time.
TEST_FUNCTION products(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n]) {
  double(*t)[n] = malloc(sizeof(double) * n * n + 1);
  if (!t)
    return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      t[i][j] = 0;
      for (int k = 0; k < n; k++)
        t[i][j] += a[i][k] * b[k][j];
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      c[i][j] = 0;
      for (int k = 0; k < n; k++)
        c[i][j] += t[i][k] * b[k][j];
    }
  free(t);
}

// Bytes, with an intermediate image of wider numbers.
TEST_FUNCTION bytes(int h, int w, uint8_t in[restrict h][w], uint8_t out[restrict h][w]) {
  uint16_t(*sum)[w] = malloc(sizeof(uint16_t) * h * w + 1);
  if (!sum)
    return;
  for (int i = 0; i < h; i++)
    for (int j = 1; j < w - 1; j++)
      sum[i][j] = (uint16_t)(in[i][j - 1] + 2 * in[i][j] + in[i][j + 1]);
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++)
      out[i][j] = (uint8_t)((sum[i - 1][j] + 2 * sum[i][j] + sum[i + 1][j] + 8) >> 4);
  free(sum);
}

static float in[H][W], out[H][W], large[2 * H][2 * W], larger[2 * H][2 * W];
static float square[MOST][MOST], result[MOST][MOST];
static int numbers[MOST * MOST], sums[MOST * MOST];
static uint8_t image[MOST * MOST], smooth[MOST * MOST];
static double wide[MOST * MOST + 2], wider[MOST * MOST], widest[MOST * MOST], field[H][W];

#define CLEAR(array) memset(array, 0, sizeof array)
#define ON_IMAGES(name)                                                                                                            \
  do {                                                                                                                             \
    CLEAR(out);                                                                                                                    \
    name(in, out);                                                                                                                 \
    SHOW(#name, &out[0][0], H * W);                                                                                                \
  } while (0)

static void symbolic(int h, int w) {
  printf("%d x %d\n", h, w);
  size_t count = (size_t)h * (size_t)w;
  CLEAR(result), CLEAR(sums), CLEAR(smooth), CLEAR(wider);
  sizes(h, w, (float(*)[w]) & square[0][0], (float(*)[w]) & result[0][0]);
  SHOW("sizes", &result[0][0], count);
  flat(h, w, wide, wider);
  SHOW("flat", wider, count);
  three_stages(h, w, (int(*)[w])numbers, (int(*)[w])sums);
  SHOW("three stages", sums, count);
  corners(h, w, (float(*)[w]) & square[0][0], (float(*)[w]) & result[0][0]);
  SHOW("corners", &result[0][0], count);
  bytes(h, w, (uint8_t(*)[w])image, (uint8_t(*)[w])smooth);
  SHOW("bytes", smooth, count);
  expression((long)count, wide, wide + 1, wide + 2, wide, wider);
  SHOW("expression", wider, count);
  if (h != w)
    return;
  transposed(h, (float(*)[w]) & square[0][0], (float(*)[w]) & result[0][0]);
  SHOW("transposed", &result[0][0], count);
  products(h, (double(*)[w])wide, (double(*)[w])wider, (double(*)[w])widest);
  SHOW("products", widest, count);
}

int main(void) {
  FILL(&in[0][0], H * W, 3);
  FILL(&large[0][0], 4 * H * W, 5);
  FILL(&square[0][0], MOST * MOST, 7);
  FILL(wide, COUNT(wide), 1);
  FILL(&field[0][0], H * W, 9);
  for (int i = 0; i < MOST * MOST; i++)
    numbers[i] = start_value(i), image[i] = (uint8_t)(start_value(i) + 60);
  ON_IMAGES(blur);
  ON_IMAGES(unsharp);
  ON_IMAGES(cleared);
  ON_IMAGES(begun);
  ON_IMAGES(backwards);
  ON_IMAGES(internal);
  ON_IMAGES(remembers);
  ON_IMAGES(remembers);
  ON_IMAGES(writes_common);
  printf("%a\n", (double)reads_common((int)hidden(7), (int)hidden(9)));
  ON_IMAGES(guarded);
  ON_IMAGES(accumulated);
  printf("%a\n", (double)seen((int)hidden(7), (int)hidden(9), in, out));
  SHOW("seen", &out[0][0], H * W);
  printf("%a\n", (double)shown(in, out));
  SHOW("shown", &out[0][0], H * W);
  printf("%a\n", (double)grows(in, out));
  SHOW("grows", &out[0][0], H * W);
  ON_IMAGES(keeps);
  printf("%a %a\n", (double)kept[0][1], (double)kept[H - 1][W - 2]);
  free(kept);
  CLEAR(out);
  frees_early((int)hidden(0), in, out);
  SHOW("freed", &out[0][0], H * W);
  frees_early((int)hidden(1), in, out);
  SHOW("not freed", &out[0][0], H * W);
  for (int n = 0; n < 3; n++) {
    CLEAR(result);
    channels((int)hidden(n), 11, 19, (float(*)[11][19]) & square[0][0], (float(*)[11][19]) & result[0][0]);
    SHOW("channels", &result[0][0], (size_t)n * 11 * 19);
  }
  for (int n = 0; n < 4; n++)
    steps((int)hidden(n), field);
  SHOW("steps", &field[0][0], H * W);
  pyramid(large, larger);
  SHOW("pyramid", &larger[0][0], 4 * H * W);
  flat((long)hidden(3), (long)hidden(0), wide, wider);
  flat((long)hidden(0), (long)hidden(0), wide, wider);
  static const int shapes[][2] = {{0, 1}, {0, 3}, {1, 1}, {2, 2}, {3, 3}, {1, 9}, {9, 1}, {3, 17}, {4, 4}, {5, 6}, {6, 40}, {33, 7}, {8, 8}, {41, 41}};
  for (size_t s = 0; s < COUNT(shapes); s++)
    symbolic((int)hidden(shapes[s][0]), (int)hidden(shapes[s][1]));
  return 0;
}
