// Sums over several dimensions, in which loops over results move inside of the innermost sum.
// poly: optimizes pairs tensor strided layers box
#include "check.h"

#define N 11
#define W 61
#define H 23

// Two dimensions are summed up, both apart from each other in memory.
TEST_FUNCTION pairs(int n, double c[restrict N][N][N][N], double a[restrict N][N][N][N], double b[restrict N][N][N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
          double sum = 0.0;
          for (int e = 0; e < n; e++)
            for (int f = 0; f < n; f++)
              sum += a[i][e][j][f] * b[e][k][f][l];
          c[i][j][k][l] = sum;
        }
}

// A tensor times two matrices: three factors.
TEST_FUNCTION tensor(int n, int m, float a[restrict N][N], float b[restrict N][N][N], float c[restrict N][N],
                     float d[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < m; k++)
      for (int l = 0; l < n; l++)
        for (int j = 0; j < n; j++)
          a[i][j] += b[i][k][l] * d[l][j] * c[k][j];
}

// Results that are apart along every loop.
TEST_FUNCTION strided(int n, double a[restrict 2 * N][2 * N], double b[restrict N][N][N], double c[restrict N][N]) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
          a[2 * i][2 * j] += b[i][k][l] * c[k][l] - a[2 * i][2 * j];
}

// Filters over several layers; what is read overlaps.
TEST_FUNCTION layers(int n, int r, int s, float out[restrict N][N][N], float in[restrict N][2 * N][2 * N],
                     float w[restrict N][N][N][N]) {
  for (int o = 0; o < n; o++)
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++)
        for (int c = 0; c < n; c++)
          for (int i = 0; i < r; i++)
            for (int j = 0; j < s; j++)
              out[o][y][x] += in[c][y + i][x + j] * w[o][c][i][j];
}

// The mean over a window; input and output may overlap.
TEST_FUNCTION box(int w, int h, int r, const float *in, float *out) {
  for (int y = r; y < h - r; y++)
    for (int x = r; x < w - r; x++) {
      float sum = 0;
      for (int dy = -r; dy <= r; dy++)
        for (int dx = -r; dx <= r; dx++)
          sum += in[(y + dy) * w + x + dx];
      out[y * w + x] = sum / (float)((2 * r + 1) * (2 * r + 1));
    }
}

static double results[N][N][N][N], left[N][N][N][N], right[N][N][N][N], wide[2 * N][2 * N];
static float image[2 * W * H];
static float matrix[N][N], cube[N][N][N], planes[N][2 * N][2 * N], filters[N][N][N][N], columns[N][N], rows[N][N];

int main(void) {
  int sizes[] = {0, 1, 2, 5, 8, 11};
  FILL(&left[0][0][0][0], N * N * N * N, 1);
  FILL(&right[0][0][0][0], N * N * N * N, 2);
  FILL(&cube[0][0][0], N * N * N, 3);
  FILL(&planes[0][0][0], 4 * N * N * N, 4);
  FILL(&filters[0][0][0][0], N * N * N * N, 5);
  FILL(&columns[0][0], N * N, 6);
  FILL(&rows[0][0], N * N, 7);
  for (size_t s = 0; s < COUNT(sizes); s++) {
    int n = (int)hidden(sizes[s]);
    pairs(n, results, left, right);
    SHOW("pairs", &results[0][0][0][0], N * N * N * N);
    FILL(&matrix[0][0], N * N, 8);
    tensor(n, (int)hidden((sizes[s] + 3) % (N + 1)), matrix, cube, columns, rows);
    SHOW("tensor", &matrix[0][0], N * N);
    FILL(&wide[0][0], 4 * N * N, 9);
    strided(n, wide, left[1], right[0][0]);
    SHOW("strided", &wide[0][0], 4 * N * N);
    FILL(&cube[0][0][0], N * N * N, 3);
    layers(n, n < 3 ? n : 3, n < 5 ? n : 5, cube, planes, filters);
    SHOW("layers", &cube[0][0][0], N * N * N);
    // One after the other, and in place.
    for (int apart = 1; apart >= 0; apart--) {
      FILL(image, 2 * W * H, 10);
      box(W - (int)hidden(s), H, (int)hidden(s), image, image + apart * W * H);
      SHOW("box", image, 2 * W * H);
    }
  }
  return 0;
}
