; Running the pass again is harmless.

; RUN: %opt %loadpoly -passes='poly<force>,poly<force>,poly<force;parallel>' -verify-each -S %s | %FileCheck %s
; CHECK: define void @copy(

define void @copy(ptr noalias %p, ptr noalias %q) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %from
  %next = add nuw nsw i64 %i, 1
  %to = getelementptr inbounds i64, ptr %q, i64 %i
  store i64 %v, ptr %to
  %more = icmp slt i64 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}

; What it works with can be shown.
; RUN: %opt %loadpoly -passes='poly<debug-dump=scops:ast;force>' -disable-output %s 2>&1 | %FileCheck --check-prefix=DUMP %s
; DUMP: scop "copy: loop => end"
; DUMP: for (int c0 = 0; c0 <= 99; c0 += 1)
