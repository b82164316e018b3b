//! Compresses the committed contract for builds that do not generate it.

use std::io::Write as _;
use std::path::Path;

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_CONTRACT").is_some() {
        return Ok(());
    }
    let contract = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi.json");
    println!("cargo:rerun-if-changed={}", contract.display());
    let out = std::env::var_os("OUT_DIR").map(std::path::PathBuf::from).unwrap_or_default();
    let file = std::fs::File::create(out.join("openapi.json.gz"))?;
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    gzip.write_all(&std::fs::read(contract)?)?;
    gzip.finish()?;
    Ok(())
}
