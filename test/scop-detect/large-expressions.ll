; Expressions that are small as graphs and exponentially large as trees: nothing may walk over the tree.
; RUN: %opt %loadpoly -passes='loop-simplify,lcssa,print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; CHECK-LABEL: SCoPs of function 'chain':
; CHECK-NEXT: rejected loop nest:
define void @chain(ptr %x, i32 %n) {
entry:
  %v0 = load i32, ptr %x, align 4
  %s0 = add i32 %v0, 1
  %v1 = mul i32 %s0, %v0
  %s1 = add i32 %v1, 2
  %v2 = mul i32 %s1, %v1
  %s2 = add i32 %v2, 3
  %v3 = mul i32 %s2, %v2
  %s3 = add i32 %v3, 4
  %v4 = mul i32 %s3, %v3
  %s4 = add i32 %v4, 5
  %v5 = mul i32 %s4, %v4
  %s5 = add i32 %v5, 6
  %v6 = mul i32 %s5, %v5
  %s6 = add i32 %v6, 7
  %v7 = mul i32 %s6, %v6
  %s7 = add i32 %v7, 1
  %v8 = mul i32 %s7, %v7
  %s8 = add i32 %v8, 2
  %v9 = mul i32 %s8, %v8
  %s9 = add i32 %v9, 3
  %v10 = mul i32 %s9, %v9
  %s10 = add i32 %v10, 4
  %v11 = mul i32 %s10, %v10
  %s11 = add i32 %v11, 5
  %v12 = mul i32 %s11, %v11
  %s12 = add i32 %v12, 6
  %v13 = mul i32 %s12, %v12
  %s13 = add i32 %v13, 7
  %v14 = mul i32 %s13, %v13
  %s14 = add i32 %v14, 1
  %v15 = mul i32 %s14, %v14
  %s15 = add i32 %v15, 2
  %v16 = mul i32 %s15, %v15
  %s16 = add i32 %v16, 3
  %v17 = mul i32 %s16, %v16
  %s17 = add i32 %v17, 4
  %v18 = mul i32 %s17, %v17
  %s18 = add i32 %v18, 5
  %v19 = mul i32 %s18, %v18
  %s19 = add i32 %v19, 6
  %v20 = mul i32 %s19, %v19
  %s20 = add i32 %v20, 7
  %v21 = mul i32 %s20, %v20
  %s21 = add i32 %v21, 1
  %v22 = mul i32 %s21, %v21
  %s22 = add i32 %v22, 2
  %v23 = mul i32 %s22, %v22
  %s23 = add i32 %v23, 3
  %v24 = mul i32 %s23, %v23
  %s24 = add i32 %v24, 4
  %v25 = mul i32 %s24, %v24
  %s25 = add i32 %v25, 5
  %v26 = mul i32 %s25, %v25
  %s26 = add i32 %v26, 6
  %v27 = mul i32 %s26, %v26
  %s27 = add i32 %v27, 7
  %v28 = mul i32 %s27, %v27
  %s28 = add i32 %v28, 1
  %v29 = mul i32 %s28, %v28
  %s29 = add i32 %v29, 2
  %v30 = mul i32 %s29, %v29
  %s30 = add i32 %v30, 3
  %v31 = mul i32 %s30, %v30
  %s31 = add i32 %v31, 4
  %v32 = mul i32 %s31, %v31
  %s32 = add i32 %v32, 5
  %v33 = mul i32 %s32, %v32
  %s33 = add i32 %v33, 6
  %v34 = mul i32 %s33, %v33
  %s34 = add i32 %v34, 7
  %v35 = mul i32 %s34, %v34
  %s35 = add i32 %v35, 1
  %v36 = mul i32 %s35, %v35
  %s36 = add i32 %v36, 2
  %v37 = mul i32 %s36, %v36
  %s37 = add i32 %v37, 3
  %v38 = mul i32 %s37, %v37
  %s38 = add i32 %v38, 4
  %v39 = mul i32 %s38, %v38
  %s39 = add i32 %v39, 5
  %v40 = mul i32 %s39, %v39
  %s40 = add i32 %v40, 6
  %v41 = mul i32 %s40, %v40
  %s41 = add i32 %v41, 7
  %v42 = mul i32 %s41, %v41
  %s42 = add i32 %v42, 1
  %v43 = mul i32 %s42, %v42
  %s43 = add i32 %v43, 2
  %v44 = mul i32 %s43, %v43
  %s44 = add i32 %v44, 3
  %v45 = mul i32 %s44, %v44
  %s45 = add i32 %v45, 4
  %v46 = mul i32 %s45, %v45
  %s46 = add i32 %v46, 5
  %v47 = mul i32 %s46, %v46
  %s47 = add i32 %v47, 6
  %v48 = mul i32 %s47, %v47
  %start = sext i32 %v48 to i64
  br label %loop

loop:
  %i = phi i64 [ %start, %entry ], [ %i.next, %loop ]
  %place = getelementptr inbounds i32, ptr %x, i64 %i
  store i32 %n, ptr %place, align 4
  %i.next = add nsw i64 %i, 1
  %low = trunc i64 %i.next to i32
  %end = icmp eq i32 %low, %n
  br i1 %end, label %exit, label %loop

exit:
  ret void
}
