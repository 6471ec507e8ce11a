// Debian's LLVM has Polly built in. Both work in one process, each with its own options.

// RUN: %clang -O3 -fplugin=%poly %withpoly -mllvm -polly -mllvm -poly-force -c %s -o %t.o 2>&1 | count 0
// RUN: env POLY_OPTS=debug-panic=detect %clang -O3 %withpoly -mllvm -polly -Rpass-missed=poly -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: internal error

// RUN: %clang -O1 -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadpoly -passes='default<O3>' -polly -polly-process-unprofitable -poly-process-unprofitable -disable-output %t.ll
// RUN: %opt %loadpoly -passes='default<O3>' -polly-process-unprofitable -poly-debug-panic=detect -pass-remarks-missed=poly -disable-output %t.ll 2>&1 | %FileCheck %s

double sum[200][200];

void add(void) {
  for (int i = 0; i < 200; i++)
    for (int j = 0; j < 200; j++)
      sum[i][j] += i + j;
}
