// Integers of loops that LLVM makes vectors of are computed in fewer bits where no result changes.
//
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -c %s -o %t.o 2> %t.remarks
// RUN: %if llvm19 %{ %FileCheck %s --check-prefixes=CHECK,OURS --implicit-check-not=remark: < %t.remarks %}
// RUN: %if !llvm19 %{ %FileCheck %s --implicit-check-not=remark: < %t.remarks %}
// RUN: %clang -O3 -march=x86-64-v3 %withpoly -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=CODE
// RUN: env POLY_OPTS=no-narrow-integers %clang -O3 -march=x86-64-v3 %withpoly -Rpass=poly -S -emit-llvm %s -o - 2>&1 | %FileCheck %s --check-prefix=OFF

// OFF-NOT: optimized 1 loop

// Minima of sums of bytes: no more than 765, no less than -510.
// CHECK: narrow-integers.c:[[#@LINE+6]]:3: remark: optimized 1 loop: 5 integers are computed in 16 bits
// CODE-LABEL: @sharpen(
// OFF-LABEL: @sharpen(
// OFF: call <{{[0-9]+}} x i32> @llvm.smin.
// CODE: call <{{16|32}} x i16> @llvm.smin.v{{16|32}}i16(
void sharpen(int n, const unsigned char *restrict a, unsigned char *restrict c) {
  for (int i = 1; i < n - 1; i++) {
    int v = 3 * a[i] - a[i - 1] - a[i + 1];
    c[i] = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
  }
}

// A product of which the bits 8 to 15 are kept, and what is above them is not asked for. LLVM 22
// computes it in 16 bits, too.
// OURS: narrow-integers.c:[[#@LINE+4]]:3: remark: optimized 1 loop: 3 integers are computed in 16 bits
// CODE-LABEL: @between(
// CODE: mul {{(nsw )?}}<{{16|32}} x i16>
void between(int n, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = (unsigned char)(a[i] + (((b[i] - a[i]) * 77) >> 8));
}

// Numbers up to 65407: a comparison without a sign.
// CHECK: narrow-integers.c:[[#@LINE+4]]:3: remark: optimized 1 loop: 4 integers are computed in 16 bits
// CODE-LABEL: @bright(
// CODE: icmp ugt <{{16|32}} x i16>
void bright(int n, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = 200 * a[i] + 56 * b[i] > 40000 ? 255 : 7;
}

// A counter that indexes has 64 bits, and what is compared with it has 32.
// CHECK: narrow-integers.c:[[#@LINE+5]]:3: remark: optimized 1 loop: 1 integer is computed in 32 bits
// CODE-LABEL: @until(
// CODE: icmp {{.*}}<8 x i32>
// CODE-NOT: icmp slt <{{[0-9]+}} x i64>
void until(int n, int m, const int *restrict a, const int *restrict b, int *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] == b[i] && i < m ? a[i] : b[i] + 1;
}

// The extension of the sign of the low 16 bits is nothing in 16 bits.
// CHECK: narrow-integers.c:[[#@LINE+4]]:3: remark: optimized 1 loop: 11 integers are computed in 16 bits
// CODE-LABEL: @shorts(
// CODE: call <{{16|32}} x i16> @llvm.abs.v{{16|32}}i16(
void shorts(int n, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict c) {
  for (int i = 0; i < n; i++) {
    short up = (short)(a[i] - 2 * b[i]), down = (short)(b[i] - 2 * a[i]);
    short x = up < 0 ? (short)-up : up, y = down < 0 ? (short)-down : down;
    short sum = (short)(200 * x + 100 * y);
    c[i] = (unsigned char)(sum > 255 ? 255 : sum);
  }
}

// 131,070 has no room in 16 bits.
// CODE-LABEL: @both_shorts(
// CODE: icmp {{.*}}<{{[0-9]+}} x i32>
void both_shorts(int n, const unsigned short *restrict a, const unsigned short *restrict b, unsigned short *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i] > 70000 ? 4 : b[i];
}

// Vectors have as many lanes as integers of 64 bits have room: fewer bits in a lane gain nothing.
// CODE-LABEL: @count(
// CODE-NOT: x i16>
long count(int n, const unsigned char *a, const unsigned char *b) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] + b[i] > 200;
  return s;
}

// LLVM has one operation for distances of bytes.
// CODE-LABEL: @distances(
// CODE-NOT: x i16>
// CODE: ret void
void distances(int n, const unsigned char *restrict a, const unsigned char *restrict b, unsigned char *restrict c) {
  for (int i = 0; i < n; i++)
    c[i] = (unsigned char)(a[i] > b[i] ? a[i] - b[i] : b[i] - a[i]);
}

// A chain from one iteration to the next is scalar code, which gains nothing.
// CODE-LABEL: @chain(
// CODE-NOT: x i16>
// CODE: ret void
void chain(int n, const unsigned char *restrict a, unsigned char *c) {
  for (int i = 1; i < n; i++) {
    int v = 3 * a[i] - c[i - 1];
    c[i] = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
  }
}
