define void @fill(ptr %p, i64 %n) !dbg !5 {
entry:
    #dbg_value(ptr %p, !9, !DIExpression(), !10)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %address = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 0, ptr %address, align 4, !dbg !11
  %i.next = add i64 %i, 1, !dbg !11
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %end, !dbg !11

end:
  ret void, !dbg !10
}

define internal void @made(ptr %shared) {
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "by hand", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "fill.c", directory: "/src")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "fill", scope: !1, file: !1, line: 1, type: !6, scopeLine: 1, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !8)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !{!9}
!9 = !DILocalVariable(name: "array", arg: 1, scope: !5, file: !1, line: 1, type: !12)
!10 = !DILocation(line: 1, column: 1, scope: !5)
!11 = !DILocation(line: 4, column: 3, scope: !5)
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
