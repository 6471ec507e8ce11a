; The printers show each stage and change nothing.

; RUN: %opt %loadpoly -passes='print<poly-scops>' -S %s 2>%t.err | %FileCheck --check-prefix=CODE %s
; RUN: %FileCheck --check-prefix=SCOPS %s --input-file=%t.err
; RUN: %opt %loadpoly -passes='print<poly-dependences>' -disable-output %s 2>&1 | %FileCheck --check-prefix=DEPENDENCES %s
; RUN: %opt %loadpoly -passes='print<poly-schedule>' -disable-output %s 2>&1 | %FileCheck --check-prefix=SCHEDULE %s
; RUN: %opt %loadpoly -passes='print<poly-ast;force;no-tile>' -disable-output %s 2>&1 | %FileCheck --check-prefix=AST %s

; CODE: define void @shift(
; CODE: br i1 %more, label %loop, label %end
; CODE-NOT: poly

; SCOPS:      SCoPs of function 'shift':
; SCOPS-NEXT: scop "shift: loop => end"
; SCOPS:        domain: { S0[i0] : 0 <= i0 <= 99 }
; SCOPS:        read { S0[i0] -> p[i0] }
; SCOPS:        write { S0[i0] -> p[1 + i0] }

; DEPENDENCES:      Dependences of function 'shift':
; DEPENDENCES-NEXT: scop "shift: loop => end"
; DEPENDENCES-NEXT: flow 0.1 -> 0.0: { S0[i0] -> S0[1 + i0]

; SCHEDULE:      Schedules of function 'shift':
; SCHEDULE-NEXT: scop "shift: loop => end"
; SCHEDULE-NEXT: domain: "{ S0[i0] : 0 <= i0 <= 99 }"
; SCHEDULE:        schedule: "[{ S0[i0] -> [(i0)] }]"

; AST:      Loops of function 'shift':
; AST-NEXT: scop "shift: loop => end"
; AST:      for (int c0 = 0; c0 <= 99; c0 += 1)
; AST-NEXT:   S0(c0);

; Functions that may not be optimized are printed all the same.
define void @shift(ptr %p) noinline optnone {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %from
  %next = add nuw nsw i64 %i, 1
  %to = getelementptr inbounds i64, ptr %p, i64 %next
  store i64 %v, ptr %to
  %more = icmp slt i64 %next, 100
  br i1 %more, label %loop, label %end
end:
  ret void
}
