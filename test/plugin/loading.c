// The plugin loads, stays silent, and exports nothing but its entry point.

// RUN: %clang -O2 %withpoly -c %s -o %t.o 2>&1 | count 0
// RUN: %clang -O3 -g %withpoly -c %s -o %t.o 2>&1 | count 0
// RUN: llvm-nm --dynamic --defined-only %poly | %FileCheck --check-prefix=EXPORTS %s
// EXPORTS: T llvmGetPassPluginInfo
// EXPORTS-NOT: {{.}}

// No second LLVM comes with it.
// RUN: llvm-readelf --dynamic-table %poly | %FileCheck --check-prefix=NEEDED %s
// NEEDED-NOT: libLLVM

// It stays where it is until the process ends: threads may still run in it when LLVM closes its plugins.
// RUN: llvm-readelf --dynamic-table %poly | %FileCheck --check-prefix=FLAGS %s
// FLAGS: FLAGS_1{{.*}}NODELETE

void scale(int n, double *a) {
  for (int i = 0; i < n; i++)
    a[i] *= 2;
}
