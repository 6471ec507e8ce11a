// The page of `poly view`: a program that is sent gets its page or the compiler's message; other pages and hosts are refused; it ends cleanly.
// REQUIRES: poly
// RUN: rm -rf %t && mkdir %t
// RUN: %python %S/Inputs/check-view.py %t %program-poly view %s -- -I%S/Inputs --poly-plugin=%poly --poly-clang=%clang | %FileCheck %s
// CHECK: everything was answered as it should be
// RUN: %not %program-poly view %t.none.c 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: error: {{.*}} cannot be read
// RUN: %not %program-poly view %S/Inputs/check-view.py 2>&1 | %FileCheck %s --check-prefix=KIND
// KIND: error: {{.*}}its name does not end as those of C
// RUN: %program-poly view --help | %FileCheck %s --check-prefix=HELP
// HELP: Examples:
// HELP-NEXT: poly view kernel.c
int x;
