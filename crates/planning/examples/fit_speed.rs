//! Fits each method to every series of a file and prints the processor time.
//!
//! `fit_speed SERIES.csv SEASON [METHOD …]`, with a series of comma-separated figures per line. Prints a line
//! `METHOD<tab>FITS<tab>SECONDS<tab>SUM` for each method. A fit ends with fourteen forecasts; the sum is that of the
//! objective: −2 log-likelihood, AICc, the error of theta methods.

use std::error::Error;
use std::fs;
use std::hint::black_box;

use larder_planning::{ets, mstl, theta};

const METHODS: [&str; 6] = ["ets_ANA", "ets_AAA", "auto_ets", "dotm", "auto_theta", "mstl"];

/// Fits are repeated for at least this time: the system's clock has a resolution of some milliseconds.
const LEAST_SECONDS: f64 = 1.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(m)) = (args.next(), args.next()) else {
        return Err("fit_speed SERIES.csv SEASON [METHOD …]".into());
    };
    let m: usize = m.parse()?;
    let mut all = Vec::new();
    for line in fs::read_to_string(file)?.lines() {
        all.push(line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>()?);
    }
    let chosen: Vec<String> = args.collect();
    let methods = if chosen.is_empty() { METHODS.map(String::from).to_vec() } else { chosen };
    let mut smoothing = ets::Workspace::default();
    let mut thetas = theta::Workspace::default();
    let mut parts = mstl::Workspace::default();
    for method in methods {
        let (began, mut rounds, mut sum) = (processor()?, 0, 0.0);
        while rounds == 0 || processor()? - began < LEAST_SECONDS {
            sum = 0.0;
            rounds += 1;
            for y in &all {
                let mut out = [0.0; 14];
                sum += match method.as_str() {
                    "auto_ets" => {
                        let fit = ets::auto(y, m, &mut smoothing)?;
                        fit.forecast(&mut out);
                        fit.aicc
                    }
                    "dotm" | "auto_theta" => {
                        let fit = match method.as_str() {
                            "dotm" => theta::fit(theta::Kind::Dotm, y, m, &mut thetas)?,
                            _ => theta::auto(y, m, &mut thetas)?,
                        };
                        fit.forecast(&mut out);
                        fit.mse
                    }
                    "mstl" => {
                        mstl::forecast(y, m, &mut parts, &mut out)?;
                        0.0
                    }
                    other => {
                        let name = other.strip_prefix("ets_").ok_or("no such method")?;
                        let fit = ets::fit(ets::Model::parse(name)?, y, m, &mut smoothing)?;
                        fit.forecast(&mut out);
                        -2.0 * fit.log_likelihood
                    }
                };
                black_box(out);
            }
        }
        println!("{method}\t{}\t{:.6}\t{sum}", rounds * all.len(), processor()? - began);
    }
    Ok(())
}

/// Processor seconds used by this process.
fn processor() -> Result<f64, Box<dyn Error>> {
    let text = fs::read_to_string("/proc/self/schedstat")?;
    let nanoseconds: f64 = text.split_whitespace().next().ok_or("no time in schedstat")?.parse()?;
    Ok(nanoseconds / 1e9)
}
