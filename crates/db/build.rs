//! Lists `migrations/*.sql` in order, so that a new file is a new migration.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=migrations");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("migrations");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the migrations folder")
        .map(|entry| entry.expect("a file of the migrations folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sql"))
        .collect();
    files.sort();
    let mut list = String::from("&[\n");
    for path in files {
        let name = path.file_stem().expect("a file has a name").to_string_lossy();
        println!("cargo:rerun-if-changed={}", path.display());
        writeln!(list, "    ({name:?}, include_str!({:?})),", path.display().to_string())
            .expect("strings can be written to");
    }
    list.push_str("]\n");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("migrations.rs");
    fs::write(out, list).expect("OUT_DIR can be written to");
}
