//! Methods with parameters fitted to the history: exponential smoothing by likelihood, theta, MSTL.

use std::fmt;

use crate::ets::Model;
use crate::{Refusal, ets, mstl, theta};

/// A fitted method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `ets_ANA`, `holt_AAN`, `hw_AAA`, …: letters of error, trend and season.
    Ets(Model),
    /// `auto_ets`: the model with the least AICc.
    AutoEts,
    /// `theta_stm`, `otm`, `dstm`, `dotm`.
    Theta(theta::Kind),
    /// `auto_theta`: the theta method with the least squared error.
    AutoTheta,
    /// `mstl_ets`, `mstl_naive`: MSTL removes the seasons, the rest is forecast by ETS or by its last value.
    MstlEts,
    MstlNaive,
}

const PLAIN: [(&str, Kind); 8] = [
    ("auto_ets", Kind::AutoEts),
    ("theta_stm", Kind::Theta(theta::Kind::Stm)),
    ("otm", Kind::Theta(theta::Kind::Otm)),
    ("dstm", Kind::Theta(theta::Kind::Dstm)),
    ("dotm", Kind::Theta(theta::Kind::Dotm)),
    ("auto_theta", Kind::AutoTheta),
    ("mstl_ets", Kind::MstlEts),
    ("mstl_naive", Kind::MstlNaive),
];

impl Kind {
    /// Parses a name in the format of `Display`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if let Some((_, kind)) = PLAIN.iter().find(|(plain, _)| *plain == name) {
            return Some(*kind);
        }
        let (family, letters) = name.split_once('_')?;
        let model = Model::parse(letters).ok()?;
        (family == family_of(letters)).then_some(Self::Ets(model))
    }
}

/// Holt's and Holt-Winters' methods have their own names.
fn family_of(letters: &str) -> &'static str {
    match letters {
        "AAN" => "holt",
        "AAA" => "hw",
        _ => "ets",
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ets(model) => {
                let letters = model.to_string();
                write!(f, "{}_{letters}", family_of(&letters))
            }
            _ => f.write_str(PLAIN.iter().find(|(_, kind)| kind == self).map_or("", |(name, _)| name)),
        }
    }
}

/// Reusable memory of fits.
#[derive(Debug, Default)]
pub struct Workspace {
    ets: ets::Workspace,
    theta: theta::Workspace,
    mstl: mstl::Workspace,
}

/// Fits to `y`, with a season of `m` values, and forecasts the following days.
///
/// # Errors
/// [`Refusal::TooShort`] and [`Refusal::Invalid`] where the method cannot be fitted to these figures, such as a
/// multiplicative model to a day without sales.
pub fn forecast(kind: Kind, y: &[f64], m: usize, ws: &mut Workspace, out: &mut [f64]) -> Result<(), Refusal> {
    match kind {
        Kind::Ets(model) => ets::fit(model, y, m, &mut ws.ets)?.forecast(out),
        Kind::AutoEts => ets::auto(y, m, &mut ws.ets)?.forecast(out),
        Kind::Theta(kind) => theta::fit(kind, y, m, &mut ws.theta)?.forecast(out),
        Kind::AutoTheta => theta::auto(y, m, &mut ws.theta)?.forecast(out),
        Kind::MstlEts => return mstl::forecast(y, m, &mut ws.mstl, out),
        Kind::MstlNaive => {
            let seasonal = mstl::decompose(y, m)?.seasonal;
            let last = y[y.len() - 1] - seasonal[y.len() - 1];
            let season = seasonal[y.len() - m..].iter().cycle();
            out.iter_mut().zip(season).for_each(|(f, s)| *f = last + s);
        }
    }
    Ok(())
}
