//! Links the isl library of the system, which is to use the system's GMP and not the one that Poly
//! is linked with: the symbols of static libraries are kept to the program.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-lib=isl");
    println!("cargo:rustc-link-arg-bins=-Wl,--exclude-libs,ALL");
}
