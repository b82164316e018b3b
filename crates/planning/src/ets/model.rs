//! The model family: error, trend and season.

use std::fmt;

use crate::Refusal;

/// How the error enters the observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Error {
    /// y = f + e
    Additive,
    /// y = f (1 + e)
    Multiplicative,
}

/// The trend component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trend {
    None,
    Additive,
    /// Additive, each step φ times the previous one.
    Damped,
}

/// How the season combines with the level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Season {
    None,
    Additive,
    Multiplicative,
}

/// One model of exponential smoothing in the notation of Hyndman, Koehler, Ord and Snyder (Forecasting with Exponential
/// Smoothing, 2008). Excluded are multiplicative trends and an additive error with a multiplicative season, whose
/// variance may be infinite; other packages' automatic choice leaves them out, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    pub(super) error: Error,
    pub(super) trend: Trend,
    pub(super) season: Season,
}

impl Model {
    pub const ANN: Model = Model { error: Error::Additive, trend: Trend::None, season: Season::None };
    /// Simple smoothing with an additive season: the usual model for daily sales.
    pub const ANA: Model = Model { season: Season::Additive, ..Self::ANN };

    /// Letters for error (A, M), trend (N, A, Ad) and season (N, A, M): «ANA», «MAdM».
    pub fn parse(letters: &str) -> Result<Model, Refusal> {
        let refused = Refusal::Invalid(
            "A smoothing model is named by error (A, M), trend (N, A, Ad), season (N, A, M)",
        );
        let (error, rest) = match letters.split_at_checked(1) {
            Some(("A", rest)) => (Error::Additive, rest),
            Some(("M", rest)) => (Error::Multiplicative, rest),
            _ => return Err(refused),
        };
        let (trend, season) = match rest.strip_prefix("Ad") {
            Some(season) => (Trend::Damped, season),
            None => match rest.split_at_checked(1) {
                Some(("N", season)) => (Trend::None, season),
                Some(("A", season)) => (Trend::Additive, season),
                Some(("M", _)) => return Err(Refusal::Invalid("A multiplicative trend is not offered")),
                _ => return Err(refused),
            },
        };
        let season = match season {
            "N" => Season::None,
            "A" => Season::Additive,
            "M" => Season::Multiplicative,
            _ => return Err(refused),
        };
        if error == Error::Additive && season == Season::Multiplicative {
            return Err(Refusal::Invalid("An additive error beside a multiplicative season is not offered"));
        }
        Ok(Model { error, trend, season })
    }

    /// All fifteen, ordered by number of parameters.
    pub(super) fn all() -> impl Iterator<Item = Model> {
        const SEASONS: [Season; 3] = [Season::None, Season::Additive, Season::Multiplicative];
        const TRENDS: [Trend; 3] = [Trend::None, Trend::Additive, Trend::Damped];
        const ERRORS: [Error; 2] = [Error::Additive, Error::Multiplicative];
        SEASONS
            .into_iter()
            .flat_map(|season| TRENDS.map(|trend| (season, trend)))
            .flat_map(|(season, trend)| ERRORS.map(|error| Model { error, trend, season }))
            .filter(|model| model.error == Error::Multiplicative || model.season != Season::Multiplicative)
    }

    /// The error component.
    pub fn error(self) -> Error {
        self.error
    }

    /// The trend component.
    pub fn trend(self) -> Trend {
        self.trend
    }

    /// The seasonal component.
    pub fn season(self) -> Season {
        self.season
    }

    /// The number of estimated smoothing parameters and initial states, for a season of `m`.
    pub(super) fn parameters(self, m: usize) -> usize {
        let trend = match self.trend {
            Trend::None => 0,
            Trend::Additive => 2,
            Trend::Damped => 3,
        };
        // The last of m seasonal states follows from the others.
        2 + trend + if self.season == Season::None { 0 } else { m }
    }

    /// Minimum values for a defined AICc and two full seasons.
    pub fn least_values(self, m: usize) -> usize {
        let seasons = if self.season == Season::None { 0 } else { 2 * m };
        // The variance counts as a parameter.
        usize::max(self.parameters(m) + 3, seasons)
    }

    /// Whether it needs positive values.
    pub fn is_for_positive(self) -> bool {
        self.error == Error::Multiplicative || self.season == Season::Multiplicative
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.error {
            Error::Additive => "A",
            Error::Multiplicative => "M",
        })?;
        f.write_str(match self.trend {
            Trend::None => "N",
            Trend::Additive => "A",
            Trend::Damped => "Ad",
        })?;
        f.write_str(match self.season {
            Season::None => "N",
            Season::Additive => "A",
            Season::Multiplicative => "M",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_reads_back_as_written() {
        for name in [
            "ANN", "AAN", "AAdN", "ANA", "AAA", "AAdA", "MNN", "MAN", "MAdN", "MNA", "MAdA", "MNM", "MAM",
            "MAdM",
        ] {
            assert_eq!(Model::parse(name).map(|model| model.to_string()).as_deref(), Ok(name));
        }
    }

    #[test]
    fn an_unknown_model_is_refused() {
        for name in ["", "A", "AN", "ANNN", "ZNN", "AMN", "ANM", "AdNA", "ana", "АНА"] {
            assert!(Model::parse(name).is_err(), "{name}");
        }
    }

    /// ETS(A,N,A) of a week: α, γ, level and six seasonal states.
    #[test]
    fn parameters_are_counted() {
        assert_eq!(Model::ANA.parameters(7), 9);
        assert_eq!(Model::ANN.parameters(1), 2);
        assert_eq!(Model::parse("AAdA").map(|model| model.parameters(12)), Ok(17));
    }
}
