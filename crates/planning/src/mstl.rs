//! Decomposition by LOESS into trend, season and remainder (STL), and forecasts based on it.

use stlrs::Stl;

use crate::{Refusal, ets};

/// A series as trend + seasonal + remainder, each as long as the series.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Components {
    pub trend: Vec<f64>,
    pub seasonal: Vec<f64>,
    pub remainder: Vec<f64>,
}

/// Workspace of forecasts.
#[derive(Debug, Default)]
pub struct Workspace {
    ets: ets::Workspace,
    adjusted: Vec<f64>,
}

/// Window of the seasonal smoother, in seasons: that of the first season in MSTL.
const SEASONAL_WINDOW: usize = 11;
/// Inner iterations, without robustness weights, as in statsmodels.
const LOOPS: usize = 5;

/// Decomposes `y` with a season of `m` ≥ 2 values. Refuses less than two seasons and figures that are not finite.
///
/// MSTL of Bandara, Hyndman and Bergmeir (2021) for one season, which is one run of STL (Cleveland et al., 1990) with
/// constant local fits for the season and linear ones for the rest, fitted at every point. Windows follow statsmodels.
pub fn decompose(y: &[f64], m: usize) -> Result<Components, Refusal> {
    if m < 2 {
        return Err(Refusal::Invalid("A season to take apart has at least 2 values"));
    }
    if y.len() < 2 * m {
        return Err(Refusal::TooShort { have: y.len(), need: 2 * m });
    }
    if y.iter().any(|v| !v.is_finite() || v.abs() > 1e100) {
        return Err(Refusal::Invalid("A series to take apart must be of finite figures under 1e100"));
    }
    let trend_window = (1.5 * m as f64 / (1.0 - 1.5 / SEASONAL_WINDOW as f64)).ceil() as usize;
    let parts = Stl::params()
        .seasonal_length(SEASONAL_WINDOW)
        .seasonal_degree(0)
        .trend_length(trend_window | 1)
        .low_pass_length((m + 1) | 1)
        .seasonal_jump(1)
        .trend_jump(1)
        .low_pass_jump(1)
        .inner_loops(LOOPS)
        .outer_loops(0)
        .fit(y, m)
        .map_err(|_| Refusal::Invalid("The series cannot be taken apart"))?;
    let (seasonal, trend, remainder, _) = parts.into_parts();
    Ok(Components { trend, seasonal, remainder })
}

/// Fills `out` with the next steps: the last season repeated, plus the automatically chosen smoothing ([`ets::auto`])
/// of the deseasonalised series. With `m` = 1 that is the whole series.
pub fn forecast(y: &[f64], m: usize, work: &mut Workspace, out: &mut [f64]) -> Result<(), Refusal> {
    if m < 2 {
        ets::auto(y, 1, &mut work.ets)?.forecast(out);
        return Ok(());
    }
    let seasonal = decompose(y, m)?.seasonal;
    work.adjusted.clear();
    work.adjusted.extend(y.iter().zip(&seasonal).map(|(y, s)| y - s));
    ets::auto(&work.adjusted, 1, &mut work.ets)?.forecast(out);
    let last = &seasonal[y.len() - m..];
    for (value, s) in out.iter_mut().zip(last.iter().cycle()) {
        *value += s;
    }
    Ok(())
}
