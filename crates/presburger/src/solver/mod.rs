//! Linear systems over the integers: see the items below. (Interfaces first; kernels follow.)
