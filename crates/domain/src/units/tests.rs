use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::decimal::div_round;

fn factor(text: &str) -> Factor {
    Factor::parse(text).expect("a factor")
}

fn line<'a>((from, to, text): &(&'a str, &'a str, &str)) -> Conversion<'a> {
    Conversion { from, to, factor: factor(text) }
}

fn lines<'a>(lines: &[(&'a str, &'a str, &str)]) -> Vec<Conversion<'a>> {
    lines.iter().map(line).collect()
}

fn findings(conversions: &[Conversion<'_>]) -> Vec<(String, String)> {
    let used = Used { base: Some("pc"), conversions, ..Used::default() };
    check(&used).into_iter().map(|finding| (finding.field, finding.message)).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    name: String,
    base_uom: Option<String>,
    default_selling_uom: Option<String>,
    #[serde(default)]
    other_uoms: Vec<String>,
    #[serde(default)]
    conversions: Vec<Line>,
    findings: Vec<Finding>,
    #[serde(default)]
    factors: Vec<Reads>,
    #[serde(default)]
    converts: Vec<Reads>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    from_uom_id: String,
    to_uom_id: String,
    factor: String,
}

#[derive(Deserialize)]
struct Reads {
    #[serde(default)]
    qty: String,
    from: String,
    to: String,
    gives: Option<String>,
}

/// The web console tests its own copy of these rules against the same file.
#[test]
fn the_vectors_hold() {
    let cases: Vec<Case> =
        serde_json::from_str(include_str!("../../tests/vectors/units.json")).expect("vectors");
    assert!(cases.len() > 20, "the vectors are all there");
    for case in &cases {
        let conversions: Vec<Conversion<'_>> =
            case.conversions.iter().map(|l| line(&(&l.from_uom_id, &l.to_uom_id, &l.factor))).collect();
        let others: Vec<&str> = case.other_uoms.iter().map(String::as_str).collect();
        let used = Used {
            base: case.base_uom.as_deref(),
            selling: case.default_selling_uom.as_deref(),
            others: &others,
            conversions: &conversions,
        };
        assert_eq!(check(&used), case.findings, "{}", case.name);
        let units = Units::new(case.base_uom.as_deref().unwrap_or_default(), &conversions);
        for read in &case.factors {
            let gives = units.factor(&read.from, &read.to).map(|factor| factor.to_string());
            assert_eq!(gives, read.gives, "{}: one {} in {}", case.name, read.from, read.to);
        }
        for read in &case.converts {
            let qty = Qty::parse(&read.qty).expect("a quantity");
            let gives = units.convert(qty, &read.from, &read.to).map(|qty| qty.to_string());
            assert_eq!(gives, read.gives, "{}: {} {} in {}", case.name, read.qty, read.from, read.to);
        }
    }
}

#[test]
fn a_cycle_is_judged_at_nine_decimals() {
    // A third in nine decimals, three times, is one; in two decimals it is not.
    let ring = |third| lines(&[("pack", "pc", "3"), ("pc", "tray", third), ("tray", "pack", "1")]);
    assert_eq!(findings(&ring("0.333333333")), []);
    assert_eq!(findings(&ring("0.333333335")).len(), 1);
    let (field, message) = findings(&ring("0.33")).remove(0);
    assert_eq!(field, "conversions.2.factor");
    assert_eq!(message, "By lines 1 and 2 this is 1.01010101; correct one of these lines.");
}

/// Unit names; enough for long chains.
const NAMES: [&str; 9] = ["pc", "a", "b", "c", "d", "e", "f", "g", "h"];

/// Consistent conversions: every unit is worth some base units, and a line between two is their quotient.
#[derive(Debug, Clone)]
struct Agreeing {
    /// The value of each unit.
    worth: Vec<i64>,
    /// A tree first, then lines that close cycles; each may be written either way where the quotient is exact.
    lines: Vec<(usize, usize)>,
}

impl Agreeing {
    fn conversions(&self) -> Vec<Conversion<'static>> {
        let mut seen = BTreeSet::new();
        let mut written = Vec::new();
        for &(one, other) in &self.lines {
            // The larger one is a multiple of the smaller one.
            let (large, small) =
                if self.worth[one] >= self.worth[other] { (one, other) } else { (other, one) };
            if large != small && seen.insert((large, small)) {
                let factor = Factor(self.worth[large] / self.worth[small] * 1_000_000_000);
                written.push(Conversion { from: NAMES[large], to: NAMES[small], factor });
            }
        }
        written
    }
}

fn agreeing() -> impl Strategy<Value = Agreeing> {
    let steps = prop::collection::vec(prop_oneof![Just(2i64), Just(3), Just(4), Just(5), Just(6)], 8);
    let tree = (0usize..1, 0usize..2, 0usize..3, 0usize..4, 0usize..5, 0usize..6, 0usize..7, 0usize..8);
    let rings = prop::collection::vec((0usize..9, 0usize..9), 0..12);
    (steps, tree, rings).prop_map(|(steps, tree, rings)| {
        let mut worth = vec![1i64];
        for step in steps {
            worth.push(worth[worth.len() - 1] * step);
        }
        let parents = [tree.0, tree.1, tree.2, tree.3, tree.4, tree.5, tree.6, tree.7];
        let lines = parents.iter().enumerate().map(|(i, parent)| (i + 1, *parent)).chain(rings).collect();
        Agreeing { worth, lines }
    })
}

/// A tree of arbitrary factors, as users might enter them.
fn tree() -> impl Strategy<Value = Vec<Conversion<'static>>> {
    let factor =
        prop_oneof![1i64..1_000, 1_000_000i64..10_000_000_000, Just(333_333_333i64), Just(12_000_000_000)];
    prop::collection::vec((any::<prop::sample::Index>(), any::<bool>(), factor), 1..4).prop_map(|lines| {
        let line = |(i, (parent, turned, factor)): (usize, (prop::sample::Index, bool, i64))| {
            let (unit, parent) = (NAMES[i + 1], NAMES[parent.index(i + 1)]);
            let (from, to) = if turned { (parent, unit) } else { (unit, parent) };
            Conversion { from, to, factor: Factor(factor) }
        };
        lines.into_iter().enumerate().map(line).collect()
    })
}

proptest! {
    #[test]
    fn every_path_gives_the_same_factor(case in agreeing(), left_out in any::<prop::sample::Index>()) {
        let conversions = case.conversions();
        prop_assert_eq!(findings(&conversions), []);
        let whole = Units::new("pc", &conversions);
        for (i, unit) in NAMES.iter().enumerate() {
            prop_assert_eq!(whole.factor(unit, "pc"), Some(Factor(case.worth[i] * 1_000_000_000)));
        }
        // Without one of the lines, a unit that is still connected has the same factor by another path.
        let mut fewer = conversions.clone();
        fewer.remove(left_out.index(conversions.len()));
        let fewer = Units::new("pc", &fewer);
        for one in NAMES.iter().filter(|unit| fewer.knows(unit)) {
            for other in NAMES.iter().filter(|unit| fewer.knows(unit)) {
                prop_assert_eq!(fewer.ratio(one, other), whole.ratio(one, other));
            }
        }
    }

    #[test]
    fn one_wrong_line_in_a_cycle_is_found(case in agreeing(), at in any::<prop::sample::Index>(), by in 2i64..5) {
        let mut conversions = case.conversions();
        let at = at.index(conversions.len());
        let mut without = conversions.clone();
        let line = without.remove(at);
        let closes = Units::new(line.from, &without).knows(line.to);
        conversions[at].factor.0 *= by;
        prop_assert_eq!(findings(&conversions).is_empty(), !closes);
    }

    #[test]
    fn the_order_of_lines_does_not_matter(case in agreeing(), tree in tree(), turn in any::<prop::sample::Index>()) {
        for conversions in [case.conversions(), tree] {
            let mut turned = conversions.clone();
            turned.rotate_left(turn.index(conversions.len()));
            turned.reverse();
            prop_assert_eq!(Units::new("pc", &conversions), Units::new("pc", &turned));
            prop_assert_eq!(findings(&conversions).is_empty(), findings(&turned).is_empty());
        }
    }

    #[test]
    fn a_quantity_converts_back(tree in tree(), qty in -9_000_000_000i64..9_000_000_000) {
        let units = Units::new("pc", &tree);
        for from in NAMES {
            for to in NAMES {
                let (Some(factor), qty) = (units.ratio(from, to).and_then(|ratio| ratio.factor()), Qty(qty)) else { continue };
                let Some(there) = units.convert(qty, from, to) else { continue };
                if factor.0 >= 1_000_000_000 {
                    // Converting to a smaller unit and back is lossless.
                    prop_assert_eq!(units.convert(there, to, from), Some(qty));
                } else if factor.0 > 2_000 {
                    // An integer survives conversion to a unit some hundred thousand times as large and back.
                    let whole = Qty(qty.0 / 1_000_000 * 1_000_000);
                    let back = units.convert(whole, from, to).and_then(|there| units.convert(there, to, from));
                    let back = back.expect("it fitted before");
                    prop_assert_eq!(div_round(i128::from(back.0), 1_000_000), Some(whole.0 / 1_000_000));
                }
            }
        }
    }

    #[test]
    fn any_lines_are_read(units in prop::collection::vec((0usize..9, 0usize..9, any::<i64>()), 0..12)) {
        let conversions: Vec<_> = units.iter()
            .map(|(from, to, factor)| Conversion { from: NAMES[*from], to: NAMES[*to], factor: Factor(*factor) })
            .collect();
        let found = findings(&conversions);
        prop_assert!(found.iter().all(|(field, message)| field.starts_with("conversions.") && !message.is_empty()));
        let units = Units::new("pc", &conversions);
        for unit in NAMES {
            let back = units.ratio(unit, "pc").map(|ratio| ratio.inverse());
            prop_assert_eq!(back, units.ratio("pc", unit));
        }
    }
}
