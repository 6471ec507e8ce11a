//! Link flags of `libpoly.so`.

fn main() {
    // LLVM closes its plugins when the process ends, while threads of the library may still be
    // running: it must stay mapped.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
