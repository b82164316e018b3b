//! Public holidays of the Philippines, 2024 to 2030, from a built-in table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::BusinessDay;

/// The legal type of a holiday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular holiday: most employees are off.
    Regular,
    /// A special non-working day.
    Special,
}

/// A public holiday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holiday {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether its date follows the moon and is not proclaimed yet.
    pub estimated: bool,
}

const TABLE: &str = include_str!("../data/holidays-ph.csv");

static ALL: LazyLock<BTreeMap<BusinessDay, Holiday>> = LazyLock::new(|| {
    let line = |line: &'static str| {
        let mut cells = line.split(',');
        let day = cells.next()?.parse().ok()?;
        let name = cells.next()?;
        let kind = if cells.next()? == "regular" { Kind::Regular } else { Kind::Special };
        Some((day, Holiday { name, kind, estimated: cells.next()? == "yes" }))
    };
    TABLE.lines().skip(1).filter_map(line).collect()
});

/// The holiday on a day, if any.
#[must_use]
pub fn on(day: BusinessDay) -> Option<&'static Holiday> {
    ALL.get(&day)
}

/// The regular holiday on a day, if any: where holidays are skipped there is no delivery then.
#[must_use]
pub fn regular_on(day: BusinessDay) -> Option<&'static Holiday> {
    on(day).filter(|holiday| holiday.kind == Kind::Regular)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_read() {
        // Two holidays on one day are one.
        assert!(ALL.len() >= TABLE.lines().count() - 4, "{} of {}", ALL.len(), TABLE.lines().count() - 1);
        let day = |y, m, d| BusinessDay::from_ymd(y, m, d).expect("a day");
        assert_eq!(regular_on(day(2026, 4, 3)).map(|it| it.name), Some("Good Friday"));
        assert_eq!(on(day(2026, 8, 21)).map(|it| it.kind), Some(Kind::Special));
        assert!(regular_on(day(2026, 8, 21)).is_none());
        assert_eq!(regular_on(day(2030, 8, 26)).map(|it| it.name), Some("National Heroes Day"));
        assert!(on(day(2027, 3, 10)).is_some_and(|it| it.estimated));
    }
}
