//! The figures of a snapshot row.

use larder_domain::Qty;
use larder_domain::on_hand::movement::Movement;

/// A figure: its name in the API, and its value in a row.
pub type Figure = (&'static str, fn(&Movement) -> Option<Qty>);

pub const FIGURES: [Figure; 9] = [
    ("opening", |it| it.opening),
    ("received", |it| Some(it.received)),
    ("transfersIn", |it| Some(it.transfers_in)),
    ("transfersOut", |it| Some(it.transfers_out)),
    ("waste", |it| Some(it.waste)),
    ("theoreticalUse", |it| Some(it.theoretical_use)),
    ("closing", |it| it.closing),
    ("actualUse", |it| it.actual_use),
    ("variance", |it| it.variance),
];

/// A changed figure: name, old and new value.
pub type Changed = (&'static str, Option<Qty>, Option<Qty>);

/// Differences between two rows. A missing row counts as having no figures.
pub(super) fn changed(was: Option<&Movement>, now: Option<&Movement>) -> Vec<Changed> {
    let of = |row: Option<&Movement>, read: fn(&Movement) -> Option<Qty>| row.and_then(read);
    FIGURES
        .iter()
        .map(|(name, read)| (*name, of(was, *read), of(now, *read)))
        .filter(|(_, before, after)| {
            let both = was.is_some() && now.is_some();
            if both {
                before != after
            } else {
                [before, after].into_iter().flatten().any(|qty| !qty.is_zero())
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_figures_are_listed() {
        let was = Movement { opening: Some(Qty(0)), received: Qty(5), ..Movement::default() };
        let now = Movement { opening: None, waste: Qty(2), ..was };
        assert_eq!(changed(Some(&was), Some(&was)), []);
        let found = changed(Some(&was), Some(&now));
        assert_eq!(found, [("opening", Some(Qty(0)), None), ("waste", Some(Qty(0)), Some(Qty(2)))]);
        assert_eq!(changed(None, Some(&was)), [("received", None, Some(Qty(5)))]);
        assert_eq!(changed(Some(&was), None), [("received", Some(Qty(5)), None)]);
    }
}
