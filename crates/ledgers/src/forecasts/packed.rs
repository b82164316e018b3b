//! Compact encoding of forecast and bounds: four bytes per value, all forecasts, then all lower, then all
//! upper bounds.

use larder_db::DbError;

/// The forecast from the first day of a run on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ahead {
    pub forecast: Vec<f64>,
    /// Bounds, if enough earlier forecasts could be checked; both or none.
    pub lower: Option<Vec<f64>>,
    pub upper: Option<Vec<f64>>,
}

impl Ahead {
    /// Encodes; empty without a forecast.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let none = vec![f64::NAN; self.forecast.len()];
        let lower = self.lower.as_ref().unwrap_or(&none);
        let upper = self.upper.as_ref().unwrap_or(&none);
        let figures = self.forecast.iter().chain(lower).chain(upper);
        #[expect(clippy::cast_possible_truncation, reason = "seven digits of an estimate are plenty")]
        figures.flat_map(|figure| (*figure as f32).to_le_bytes()).collect()
    }

    /// Decodes.
    ///
    /// # Errors
    /// If the bytes are not an encoding of this module.
    pub fn unpack(bytes: &[u8]) -> Result<Self, DbError> {
        if !bytes.len().is_multiple_of(12) {
            return Err(DbError::Invalid("a forecast cannot be read".to_owned()));
        }
        let figures: Vec<f64> =
            bytes.as_chunks::<4>().0.iter().map(|it| plain(f32::from_le_bytes(*it))).collect();
        let days = figures.len() / 3;
        let bounds = figures.get(days).is_some_and(|lower| !lower.is_nan());
        let part = |at: usize| bounds.then(|| figures[at * days..(at + 1) * days].to_vec());
        Ok(Self { forecast: figures[..days].to_vec(), lower: part(1), upper: part(2) })
    }

    /// As it is read back: a value has seven digits.
    #[must_use]
    pub fn rounded(self) -> Self {
        Self::unpack(&self.pack()).unwrap_or(self)
    }
}

/// The shortest decimal for this value: 12.1 and not 12.100000381.
fn plain(figure: f32) -> f64 {
    figure.to_string().parse().unwrap_or(f64::from(figure))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_round_trip() {
        let with = Ahead {
            forecast: vec![12.1, 0.0, 1_234_567.0],
            lower: Some(vec![10.0, 0.0, 0.5]),
            upper: Some(vec![14.25, 3.0, 2e6]),
        };
        assert_eq!(Ahead::unpack(&with.pack()).expect("readable"), with);
        let without = Ahead { lower: None, upper: None, ..with };
        assert_eq!(Ahead::unpack(&without.pack()).expect("readable"), without);
        assert_eq!(Ahead::unpack(&[]).expect("nothing"), Ahead::default());
        assert!(Ahead::unpack(&[1, 2, 3]).is_err());
    }
}
