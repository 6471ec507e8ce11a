// Subscripts that are data, of which the range is known: so is the part of the array.
// RUN: %clang -O2 -fno-discard-value-names -fno-unroll-loops -fno-vectorize -fno-slp-vectorize -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %t.ll 2>&1 | %FileCheck %s

// CHECK-LABEL: SCoPs of function 'bytes':
// CHECK: read {{.*}} -> table[o0] : 0 <= o0 <= 255 } at
void bytes(int n, float *out, const unsigned char *in, const float *table) {
  for (int i = 0; i < n; i++)
    out[i] = table[in[i]];
}

// An address that is not at the beginning of an element touches two of them.
// CHECK-LABEL: SCoPs of function 'shifted':
// CHECK: read {{.*}} -> table[o0] : 0 <= o0 <= 256 } at
void shifted(int n, float *out, const unsigned char *in, const char *table) {
  for (int i = 0; i < n; i++)
    out[i] = *(const float *)(table + in[i] * 4 + 1);
}

// CHECK-LABEL: SCoPs of function 'signed_bytes':
// CHECK: may write {{.*}} -> middle[o0] : -128 <= o0 <= 127 }
void signed_bytes(int n, const signed char *restrict in, float *restrict middle) {
  for (int i = 0; i < n; i++)
    middle[in[i]] += 1;
}

// What 32 bits can choose from is not a part that is worth a test.
// CHECK-LABEL: SCoPs of function 'words':
// CHECK: read {{.*}} -> table[o0] } at
void words(int n, float *out, const unsigned *in, const float *table) {
  for (int i = 0; i < n; i++)
    out[i] = table[in[i]];
}
