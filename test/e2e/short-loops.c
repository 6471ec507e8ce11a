// Loops of which a check leaves one or two iterations, as subscripts must stay in their rows. LLVM knows that too, and is not asked for vectors: it would warn of a request that the source does not make.
#include "check.h"

TEST_FUNCTION short_rows(int n, uint32_t A[12][10], uint8_t B[13], uint32_t C[10][22]) {
  for (int i = 0; i < n; i++) {
    C[i + 2][3 * i] -= A[i][(2 * i - 1) / 2 + 1];
    for (int j = 0; j < n + 3; j += 3) {
      B[j + 3] += 1;
      for (int k = j; k < (n + 3 < i + n - 2 ? n + 3 : i + n - 2); k++) {
        for (int l = 0; l < n - 2; l++)
          A[k + 2][i] |= 1;
        A[i][j] -= B[i];
        A[j + 1][9 - k] = C[k][2 * j + 3];
      }
    }
  }
}

static uint32_t words[340];
static uint8_t bytes[16];

int main(void) {
  for (int n = 0; n < 6; n++) {
    FILL(words, 340, n);
    FILL(bytes, 16, n);
    // Both arrays are the same memory, then they are not.
    short_rows((int)hidden(n), (void *)words, bytes, (void *)words);
    short_rows((int)hidden(n), (void *)words, bytes, (void *)(words + hidden(120)));
    SHOW("words", words, 340);
    SHOW("bytes", bytes, 16);
  }
  return 0;
}
