; A parallel loop becomes an internal function that the OpenMP runtime calls.

; RUN: %opt %loadpoly -passes='poly<force;parallel>' -verify-each -S %s | %FileCheck %s
; RUN: %opt %loadpoly -passes='poly<force;no-parallel>' -verify-each -S %s | %FileCheck --check-prefix=ALONE %s

; ALONE-NOT: __kmpc
; ALONE-NOT: poly_subfn

; CHECK:       @poly.ident = private unnamed_addr constant { i32, i32, i32, i32, ptr } { i32 0, i32 2,
; The function has effects now that its attributes used to exclude.
; CHECK:       define void @scale({{.*}}) #[[PARENT:[0-9]+]] !dbg
; CHECK:         call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr {{.*}}@poly.ident, i32 1, ptr {{.*}}@scale_poly_subfn_0, ptr

; CHECK:       define internal void @scale_poly_subfn_0(ptr {{.*}}, ptr {{.*}}, ptr {{.*}}) #[[SUB:[0-9]+]] !dbg ![[PROGRAM:[0-9]+]]
; CHECK:         call void @__kmpc_for_static_init_8(ptr {{.*}}@poly.ident, i32 %{{.*}}, i32 34, ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, ptr {{.*}}, i64 1, i64 1)
; CHECK:         call i64 @llvm.smin.i64(
; CHECK:         call void @__kmpc_for_static_fini(
; CHECK:         store double {{.*}}!dbg ![[STORE:[0-9]+]]{{.*}}!llvm.access.group

; CHECK:       attributes #[[PARENT]] = { nounwind "target-cpu"="znver2" }
; CHECK:       attributes #[[SUB]] = { nounwind "poly.subfn" "target-cpu"="znver2" }
; CHECK:       ![[PROGRAM]] = distinct !DISubprogram(name: "scale_poly_subfn_0", {{.*}}flags: DIFlagArtificial
; CHECK:       ![[STORE]] = !DILocation(line: 3, column: 10, scope: ![[PROGRAM]])

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define void @scale(ptr noundef %a, ptr noalias noundef %b) #0 !dbg !4 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds double, ptr %a, i64 %i
  %x = load double, ptr %from, align 8, !dbg !6
  %twice = fmul double %x, 2.0, !dbg !6
  %to = getelementptr inbounds double, ptr %b, i64 %i
  store double %twice, ptr %to, align 8, !dbg !7
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, 100000000
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

attributes #0 = { nofree norecurse nosync nounwind willreturn memory(argmem: readwrite) "target-cpu"="znver2" }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "scale.c", directory: "/")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "scale", scope: !1, file: !1, line: 1, type: !5, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 3, column: 16, scope: !4)
!7 = !DILocation(line: 3, column: 10, scope: !4)
