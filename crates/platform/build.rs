//! The console's files are embedded at compile time (and read from their folder in debug builds).

use std::path::Path;

fn main() {
    let embed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/embed");
    // A debug build looks into the folder while it runs; it must only exist when that is compiled.
    if let Err(error) = std::fs::create_dir_all(&embed) {
        println!("cargo:warning=no folder for the console's files: {error}");
    }
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let watched = if release { embed } else { Path::new("build.rs").to_owned() };
    println!("cargo:rerun-if-changed={}", watched.display());
}
