; New code calls malloc only where nothing hints at a place from which it must not be called.

; RUN: cat %S/packed-tiles.ll %s | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -verify-each -S | %FileCheck --check-prefix=ON %s
; ON-LABEL: define void @product(
; ON: call ptr @malloc(

; Functions of allocators: by name, by attribute, in the same module.
; RUN: sed 's/@product/@reallocate_all/' %S/packed-tiles.ll | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S | %FileCheck %s
; RUN: sed 's/{ nounwind }/{ nounwind "alloc-family"="mine" }/' %S/packed-tiles.ll | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S | %FileCheck %s
; RUN: (cat %S/packed-tiles.ll; echo 'define ptr @calloc(i64 %%a, i64 %%b) { ret ptr null }') | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S | %FileCheck %s
; RUN: (cat %S/packed-tiles.ll; echo 'define weak ptr @malloc(i64 %%a) { ret ptr null }') | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S | %FileCheck %s

; Without library functions, or without this one.
; RUN: sed 's/{ nounwind }/{ nounwind "no-builtins" }/' %S/packed-tiles.ll | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S | %FileCheck %s
; RUN: sed 's/{ nounwind }/{ nounwind "no-builtin-malloc" }/' %S/packed-tiles.ll | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S | %FileCheck %s

; Kernels, sections, resolvers.
; RUN: sed 's/{ nounwind }/{ nounwind noredzone }/' %S/packed-tiles.ll | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S | %FileCheck %s
; RUN: (cat %S/packed-tiles.ll; echo '!llvm.module.flags = !{!100}'; echo '!100 = !{i32 1, !"Code Model", i32 2}') | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S \
; RUN:   | %FileCheck %s
; RUN: sed 's/%%c) #0/%%c) #0 section ".early"/' %S/packed-tiles.ll | %opt %loadpoly -passes='poly<force;register-tile-sizes=2:1>' -S | %FileCheck %s

; CHECK-NOT: call {{.*}}@malloc(
; CHECK: .tile:
; CHECK-NOT: call {{.*}}@malloc(

@nothing = external global i8
