//! Names of methods: `naive`, `sma28`, `tsb_0.1_0.1`, `ets_ANA`, `advanced`, …

use std::fmt;

use crate::fitted;
use crate::method::{Method, is_share};

/// Names without a parameter.
const PLAIN: [(&str, Method); 17] = [
    ("naive", Method::Naive),
    ("rw_drift", Method::Drift),
    ("snaive", Method::SeasonalNaive),
    ("hist_avg", Method::Mean),
    ("dow_ma", Method::DowAverage),
    ("dow_ma_weighted", Method::DowWeighted),
    ("ses_opt", Method::SesOptimised),
    ("croston", Method::Croston),
    ("croston_opt", Method::CrostonOptimised),
    ("sba", Method::Sba),
    ("adida", Method::Adida),
    ("imapa", Method::Imapa),
    ("weekly", Method::Weekly),
    ("monthly", Method::Monthly),
    ("combined", Method::Combined),
    ("advanced", Method::Advanced),
    ("sma", Method::MovingAverage(28)),
];

impl Method {
    /// Parses a name; `None` for an unknown name or a parameter out of range. `sma` alone is `sma28`.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        if let Some((_, method)) = PLAIN.iter().find(|(plain, _)| *plain == name) {
            return Some(*method);
        }
        if let Some(kind) = fitted::Kind::parse(name) {
            return Some(Self::Fitted(kind));
        }
        if let Some(alpha) = name.strip_prefix("dow_level_") {
            return share(alpha).map(Self::DowLevel);
        }
        if let Some(k) = name.strip_prefix("dow_ma") {
            return count(k).map(Self::DowAverageOf);
        }
        if let Some(k) = name.strip_prefix("swa_") {
            return count(k).map(Self::SeasonalAverage);
        }
        if let Some(alpha) = name.strip_prefix("seas_es_") {
            return share(alpha).map(Self::SeasonalSes);
        }
        if let Some(alpha) = name.strip_prefix("ses_") {
            return share(alpha).map(Self::Ses);
        }
        if let Some((size, chance)) = name.strip_prefix("tsb_").and_then(|it| it.split_once('_')) {
            return Some(Self::Tsb(share(size)?, share(chance)?));
        }
        count(name.strip_prefix("sma")?).map(Self::MovingAverage)
    }
}

/// A whole number from 1 to 999.
fn count(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.len() <= 3 && text.bytes().all(|it| it.is_ascii_digit());
    text.parse().ok().filter(|&k| digits && k > 0)
}

fn share(text: &str) -> Option<f64> {
    let digits = text.len() <= 8 && text.bytes().all(|it| it.is_ascii_digit() || it == b'.');
    text.parse().ok().filter(|&alpha| digits && is_share(alpha))
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MovingAverage(w) => write!(f, "sma{w}"),
            Self::SeasonalAverage(k) => write!(f, "swa_{k}"),
            Self::DowAverageOf(k) => write!(f, "dow_ma{k}"),
            Self::DowLevel(alpha) => write!(f, "dow_level_{alpha}"),
            Self::Ses(alpha) => write!(f, "ses_{alpha}"),
            Self::SeasonalSes(alpha) => write!(f, "seas_es_{alpha}"),
            Self::Tsb(size, chance) => write!(f, "tsb_{size}_{chance}"),
            Self::Fitted(kind) => kind.fmt(f),
            _ => f.write_str(PLAIN.iter().find(|(_, method)| method == self).map_or("", |(name, _)| name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_round_trips() {
        for (name, _) in PLAIN.iter().filter(|(name, _)| *name != "sma") {
            assert_eq!(Method::parse(name).map(|it| it.to_string()).as_deref(), Some(*name));
        }
        let more = ["sma7", "swa_4", "dow_ma4", "dow_level_0.05", "ses_0.3", "seas_es_0.25", "tsb_0.1_0.05"];
        let fitted =
            ["ets_ANN", "holt_AAN", "hw_AAA", "ets_ANA", "ets_AAdN", "auto_ets", "auto_theta", "dotm"];
        for name in more.iter().chain(&fitted).chain(&["otm", "dstm", "theta_stm", "mstl_ets", "mstl_naive"])
        {
            assert_eq!(Method::parse(name).map(|it| it.to_string()).as_deref(), Some(*name));
        }
        assert_eq!(Method::parse("sma"), Some(Method::MovingAverage(28)));
    }

    #[test]
    fn an_unknown_method_is_none() {
        for name in [
            "",
            "Naive",
            "sma0",
            "sma+7",
            "sma1000",
            "ses_0",
            "ses_1.5",
            "ses_nan",
            "ses_",
            "tsb_0.1",
            "swa_",
            "dow_ma_",
            "ets_QQQ",
            "ets_",
            "tsb_0.1_0.1_0.1",
            "ses_inf",
            "ses_1e-3",
        ] {
            assert_eq!(Method::parse(name), None, "{name}");
        }
    }
}
