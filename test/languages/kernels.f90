! Kernels in Fortran: arrays of explicit and of assumed shape, array expressions, complex numbers. The program prints the same with Poly as without.

! RUN: %flang -O3 %s -o %t.plain
! RUN: env POLY_OPTS='force;process-unprofitable' %flang -O3 -fpass-plugin=%poly -Rpass=poly %s -o %t.poly 2> %t.remarks
! RUN: %t.plain > %t.expected
! RUN: %t.poly > %t.got
! RUN: cmp %t.expected %t.got
! RUN: %FileCheck %s < %t.remarks
! REQUIRES: flang

! CHECK-DAG: optimized 3 loops, 3 statements

module kernels
  implicit none
  integer, parameter :: dp = kind(1.0d0)
contains

  subroutine gemm(n, c, a, b)
    integer, intent(in) :: n
    real(dp) :: c(n, n), a(n, n), b(n, n)
    integer :: i, j, k
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 3 loops
    do i = 1, n
      do j = 1, n
        do k = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine

  subroutine gemm_assumed(c, a, b)
    real(dp), intent(inout) :: c(:, :)
    real(dp), intent(in) :: a(:, :), b(:, :)
    integer :: i, j, k
    do i = 1, size(c, 1)
      do j = 1, size(c, 2)
        do k = 1, size(a, 2)
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine

  subroutine transposed(n, m, a, b)
    integer, intent(in) :: n, m
    real(dp) :: a(n, m), b(m, n)
    integer :: i, j
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 2 loops
    do i = 1, n
      do j = 1, m
        a(i, j) = a(i, j) + 2.0_dp * b(j, i)
      end do
    end do
  end subroutine

  subroutine jacobi(steps, n, a, b)
    integer, intent(in) :: steps, n
    real(dp) :: a(n, n), b(n, n)
    integer :: t, i, j
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 5 loops
    do t = 1, steps
      do i = 2, n - 1
        do j = 2, n - 1
          b(i, j) = 0.2_dp * (a(i, j) + a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
        end do
      end do
      do i = 2, n - 1
        do j = 2, n - 1
          a(i, j) = b(i, j)
        end do
      end do
    end do
  end subroutine

  subroutine mvt(n, x, y, a)
    integer, intent(in) :: n
    real(dp) :: x(n), y(n), a(n, n)
    integer :: i, j
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 4 loops
    do i = 1, n
      do j = 1, n
        x(i) = x(i) + a(i, j) * y(j)
      end do
    end do
    do i = 1, n
      do j = 1, n
        y(i) = y(i) + a(j, i) * x(j)
      end do
    end do
  end subroutine

  subroutine triangle(n, a, b)
    integer, intent(in) :: n
    real(dp) :: a(n, n), b(n, n)
    integer :: i, j
    ! CHECK-DAG: kernels.f90:[[@LINE+1]]:{{[0-9]+}}: remark: optimized 2 loops
    do i = 1, n
      do j = i, n
        a(i, j) = a(i, j) - b(j, i)
      end do
    end do
  end subroutine

  subroutine backwards(n, a, b)
    integer, intent(in) :: n
    real(dp) :: a(0:n, -1:n), b(0:n, -1:n)
    integer :: i, j
    do i = n, 1, -2
      do j = n, 0, -1
        a(i, j) = b(i - 1, j - 1) * 0.5_dp
      end do
    end do
  end subroutine

  subroutine expressions(a, b)
    real(dp), intent(inout) :: a(:, :)
    real(dp), intent(in) :: b(:, :)
    a = a * 0.5_dp + b
    a(2:, :) = a(2:, :) + b(:size(b, 1) - 1, :)
  end subroutine

  ! Automatic arrays, of which each value is used once, and one of which rows are used.
  subroutine temporaries(n, r, x, y, z)
    integer, intent(in) :: n
    real(dp), intent(out) :: r(n)
    real(dp), intent(in) :: x(n), y(n), z(n)
    real(dp) :: t(n), u(n)
    ! CHECK-DAG: kernels.f90:[[@LINE+1]]:{{[0-9]+}}: remark: optimized 3 loops, 1 statement{{.*}}; no elements of {{.*}}; no elements of
    t = x * y
    u = y * z
    r = t + u - z
  end subroutine

  subroutine blur(n, m, a, b)
    integer, intent(in) :: n, m
    real(dp) :: a(n, m), b(n, m), t(n, m)
    integer :: i, j
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 4 loops, 2 statements{{.*}}; 4 rows of t
    do j = 1, m
      do i = 2, n - 1
        t(i, j) = b(i - 1, j) + b(i, j) + b(i + 1, j)
      end do
    end do
    do j = 2, m - 1
      do i = 2, n - 1
        a(i, j) = t(i, j - 1) + t(i, j) + t(i, j + 1)
      end do
    end do
  end subroutine

  subroutine complex_product(n, c, a, b)
    integer, intent(in) :: n
    complex(dp) :: c(n, n), a(n, n), b(n, n)
    integer :: i, j, k
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 3 loops
    do i = 1, n
      do j = 1, n
        do k = 1, n
          c(i, j) = c(i, j) + a(i, k) * b(k, j)
        end do
      end do
    end do
  end subroutine

  subroutine rank_one(n, m, a, x, y)
    integer, intent(in) :: n, m
    real(dp) :: a(n, m), x(n), y(m)
    integer :: i, j
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 2 loops
    do i = 1, n
      do j = 1, m
        a(i, j) = a(i, j) + x(i) * y(j)
      end do
    end do
  end subroutine

  subroutine scaled(n, a, b)
    integer, intent(in) :: n
    real(dp) :: a(n, *), b(*)
    integer :: i, j
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 2 loops
    do i = 1, n
      do j = 1, n
        a(i, j) = a(i, j) * b(j) - b(i)
      end do
    end do
  end subroutine

  subroutine shortest(n, d)
    integer, intent(in) :: n
    integer :: d(n, n)
    integer :: i, j, k
    ! CHECK-DAG: kernels.f90:[[@LINE+2]]:{{[0-9]+}}: remark: optimized 3 loops
    do k = 1, n
      do i = 1, n
        do j = 1, n
          if (d(i, k) + d(k, j) < d(i, j)) d(i, j) = d(i, k) + d(k, j)
        end do
      end do
    end do
  end subroutine

end module

program main
  use kernels
  implicit none
  integer, parameter :: sizes(4) = [0, 1, 7, 30]
  real(dp), allocatable :: a(:, :), b(:, :), c(:, :), x(:), y(:)
  complex(dp), allocatable :: za(:, :), zb(:, :)
  integer, allocatable :: d(:, :)
  integer :: s, n, i, j
  do s = 1, 4
    n = sizes(s)
    allocate (a(n, n), b(n, n), c(n, n), x(n), y(n), za(n, n), zb(n, n), d(n, n))
    do j = 1, n
      do i = 1, n
        a(i, j) = mod(i * 37 + j * 11, 101) * 0.25_dp
        b(i, j) = mod(i * 13 + j * 7, 97) * 0.5_dp
        za(i, j) = cmplx(a(i, j), b(i, j), dp)
        zb(i, j) = cmplx(b(i, j), -a(i, j), dp)
        d(i, j) = mod(i * 29 + j * 17, 83) + 1
      end do
      x(j) = j * 0.5_dp
      y(j) = 3 - j
    end do
    c = 0
    call gemm(n, c, a, b)
    call gemm_assumed(c, a, b)
    call gemm_assumed(c(1:n:2, 1:n:2), a(1:n:2, :), b(:, 1:n:2))
    call transposed(n, n, a, b)
    call jacobi(3, n, a, b)
    call mvt(n, x, y, a)
    call triangle(n, c, a)
    if (n > 2) call backwards(n - 2, a, b)
    call expressions(a, b)
    if (n > 0) call temporaries(n, x, y, a(:, n), b(:, n))
    call blur(n, n, c, b)
    call complex_product(n, za, zb, za)
    call rank_one(n, n, a, x, y)
    call scaled(n, c, y)
    call shortest(n, d)
    print '(4z20)', a, b, c, x, y
    print '(2z20)', za
    print '(10i8)', d
    deallocate (a, b, c, x, y, za, zb, d)
  end do
end program
