// An unsigned short bound above 32767 is not a negative number.
// poly: optimizes scale
#include "check.h"

TEST_FUNCTION scale(double *a, const double *b, unsigned short n) {
  for (unsigned short i = 0; i < n; i++)
    a[i] += 2 * b[i];
}

TEST_FUNCTION rows(int a[][3], unsigned short n, unsigned short m) {
  for (unsigned short i = 0; i < n; i++)
    for (unsigned short j = 0; j < m; j++)
      a[i][j] += i * 3 + j;
}

static double a[65536], b[65536];
static int r[65536][3];

int main(void) {
  static const int bounds[] = {0, 1, 32766, 32767, 32768, 40000, 65534, 65535};
  FILL(b, 65536, 5);
  for (size_t k = 0; k < COUNT(bounds); k++) {
    FILL(a, 65536, (int)k);
    FILL(&r[0][0], 65536 * 3, (int)k);
    scale(a, b, (unsigned short)hidden(bounds[k]));
    rows(r, (unsigned short)hidden(bounds[k]), (unsigned short)hidden(k % 4));
    for (int i = 0; i < 65536; i += 97) {
      SHOW("scale", a + i, 1);
      SHOW("rows", &r[i][0], 3);
    }
    SHOW("end", a + 32760, 16);
    SHOW("end", a + 39990, 16);
    SHOW("end", a + 65520, 16);
  }
  return 0;
}
