; Loops that end by the first of several conditions; values chosen by conditions.
; RUN: %opt %loadpoly -passes='print<poly-scops>' -disable-output %s 2>&1 | %FileCheck %s

; The second condition is looked at where the first does not end the loop.
; CHECK-LABEL: SCoPs of function 'either':
; CHECK: domain: [n, m] -> { S0[i0] : 0 <= i0 < n and i0 <= m }
define void @either(i64 %n, i32 %m, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  %possible = icmp sgt i32 %m, -1
  %both = and i1 %some, %possible
  %small = icmp slt i64 %n, 1000000
  %all = and i1 %both, %small
  br i1 %all, label %before, label %done

before:
  br label %loop

loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %q = getelementptr inbounds i64, ptr %a, i64 %i
  store i64 %i, ptr %q
  %next = add nuw nsw i64 %i, 1
  %first = icmp uge i64 %next, %n
  %short = trunc i64 %next to i32
  %second = icmp sgt i32 %short, %m
  %end = select i1 %first, i1 true, i1 %second
  br i1 %end, label %done, label %loop

done:
  ret void
}

; CHECK-LABEL: SCoPs of function 'chosen':
; CHECK: domain: [n, k] -> { S0[i0] : 0 <= i0 < n }
; CHECK: write [n, k] -> { S0[i0] -> a[-k + i0] : i0 > k; S0[i0] -> a[7] : i0 <= k }
define void @chosen(i64 %n, i64 %k, ptr noalias %a) {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %before, label %done

before:
  br label %loop

loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %above = icmp sgt i64 %i, %k
  %distance = sub nsw i64 %i, %k
  %s = select i1 %above, i64 %distance, i64 7
  %q = getelementptr inbounds i64, ptr %a, i64 %s
  store i64 1, ptr %q
  %next = add nuw nsw i64 %i, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %done, label %loop

done:
  ret void
}
