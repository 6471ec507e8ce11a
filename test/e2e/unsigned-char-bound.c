// An unsigned char bound above 127 is not a negative number: the loop runs up to 255 times.
// poly: optimizes scale table
#include "check.h"

TEST_FUNCTION scale(double *a, const double *b, unsigned char n) {
  for (unsigned char i = 0; i < n; i++)
    a[i] += 2 * b[i];
}

TEST_FUNCTION table(double a[][256], unsigned char n, unsigned char m) {
  for (unsigned char i = 0; i < n; i++)
    for (unsigned char j = 0; j < m; j++)
      a[i][j] = a[i][j] * 0.5 + i - j;
}

static double a[256], b[256], t[256][256];

int main(void) {
  static const int bounds[] = {0, 1, 2, 127, 128, 129, 200, 254, 255};
  FILL(b, 256, 5);
  for (size_t k = 0; k < COUNT(bounds); k++) {
    FILL(a, 256, (int)k);
    scale(a, b, (unsigned char)hidden(bounds[k]));
    SHOW("scale", a, 256);
  }
  for (size_t k = 0; k < COUNT(bounds); k++) {
    FILL(&t[0][0], 256 * 256, 3);
    table(t, (unsigned char)hidden(bounds[k]), (unsigned char)hidden(bounds[COUNT(bounds) - 1 - k]));
    double sum = 0;
    for (int i = 0; i < 256; i++)
      for (int j = 0; j < 256; j++)
        sum += t[i][j] * (i + 3 * j);
    SHOW("table", &sum, 1);
    SHOW("corner", &t[199][100], 156);
  }
  return 0;
}
