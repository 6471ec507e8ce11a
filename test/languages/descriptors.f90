! Arrays of which sizes and strides are known only at run time: of assumed shape with three
! dimensions, also sections whose planes hold no whole columns, with a leading dimension, and with
! bounds of both sides. The program prints the same with Poly as without.

! RUN: %flang -O3 %s -o %t.plain
! RUN: env POLY_OPTS='force;process-unprofitable' %flang -O3 -fpass-plugin=%poly -Rpass=poly %s -o %t.poly 2> %t.remarks
! RUN: %t.plain > %t.expected
! RUN: %t.poly > %t.got
! RUN: cmp %t.expected %t.got
! RUN: %FileCheck %s < %t.remarks
! REQUIRES: flang

module kernels
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains

  subroutine neighbours(u, v)
    real(dp), intent(in) :: u(:, :, :)
    real(dp), intent(inout) :: v(:, :, :)
    integer :: i, j, k
    ! CHECK-DAG: descriptors.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 3 loops, 1 statement; band of 3
    do i = 2, size(u, 1) - 1
      do j = 2, size(u, 2) - 1
        do k = 2, size(u, 3) - 1
          v(i, j, k) = u(i - 1, j, k) + u(i, j + 1, k) + u(i, j, k - 1) - 3 * u(i, j, k)
        end do
      end do
    end do
  end subroutine

  subroutine factors(n, lda, a)
    integer, intent(in) :: n, lda
    real(dp), intent(inout) :: a(lda, *)
    integer :: i, j, k
    ! CHECK-DAG: descriptors.f90:[[@LINE+1]]:{{[0-9]+}}: remark: optimized 4 loops, 2 statements; band of 3
    do k = 1, n - 1
      do i = k + 1, n
        a(i, k) = a(i, k) / a(k, k)
      end do
      do j = k + 1, n
        do i = k + 1, n
          a(i, j) = a(i, j) - a(i, k) * a(k, j)
        end do
      end do
    end do
  end subroutine

  subroutine from_to(i0, i1, j0, j1, a, b)
    integer, intent(in) :: i0, i1, j0, j1
    real(dp), intent(inout) :: a(i0:i1, j0:j1), b(i0:i1, j0:j1)
    integer :: i, j
    ! CHECK-DAG: descriptors.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 2 loops, 1 statement; band of 2
    do i = i0, i1
      do j = j1, j0, -1
        a(i, j) = 2 * a(i, j) - b(i, j)
      end do
    end do
  end subroutine

  ! Equal products of several calls become one, but are not rounded where they were not.
  subroutine updates(n, a, b, c)
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(n, n), b(n, n), c(n, n)
    integer :: i, j, t
    do t = 1, 3
      do i = 1, n
        do j = 1, n
          c(i, j) = a(i, j) * b(i, j) + c(i, j)
        end do
      end do
    end do
  end subroutine

end module

program main
  use kernels
  implicit none
  integer, parameter :: sizes(4) = [0, 1, 7, 20]
  real(dp), allocatable :: u(:, :, :), v(:, :, :), a(:, :), b(:, :), c(:, :)
  integer :: s, n, i, j, k
  do s = 1, 4
    n = sizes(s)
    allocate (u(n, n, n), v(n, n, n), a(n + 3, n), b(n, n), c(n, n))
    do k = 1, n
      do j = 1, n
        do i = 1, n
          u(i, j, k) = mod(i * 37 + j * 11 + k * 7, 101) * 0.3_dp
        end do
        b(j, k) = mod(j * 13 + k * 5, 29) * 0.7_dp
        c(j, k) = mod(j * 3 + k * 17, 31) * 0.1_dp
      end do
    end do
    v = 1
    a = 1
    do i = 1, n
      a(i, i) = n + i * 0.1_dp
    end do
    call neighbours(u, v)
    call neighbours(u(1:n:2, :, :), v(1:n:2, :, :))
    call neighbours(u(:, 1:n:2, :), v(:, 1:n:2, :))
    call neighbours(u(:, :, n:1:-1), v(:, :, n:1:-1))
    call neighbours(u(:, n:1:-1, :), v(:, :, :))
    call neighbours(u(:, :, 1:n:3), v(:, :, 1:n:3))
    call factors(n, n + 3, a)
    call from_to(-2, n - 3, 4, n + 3, b, c)
    call from_to(5, 4, 1, n, b, c)
    call updates(n, b, c, a(1:n, :))
    print '(4z20)', v, a, b, c
    deallocate (u, v, a, b, c)
  end do
end program
