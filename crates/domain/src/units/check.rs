//! Validates a product's units; each finding has its field and what to do about it.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Conversion, Ratio, Units};

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Finding {
    /// The field, with dots into sub-tables: `conversions.2.factor`.
    pub field: String,
    /// What to do about it.
    pub message: String,
}

/// A product's units.
#[derive(Debug, Clone, Copy, Default)]
pub struct Used<'a> {
    /// The unit of stock (`baseUom`).
    pub base: Option<&'a str>,
    /// The default unit of orders (`defaultSellingUom`).
    pub selling: Option<&'a str>,
    /// Other units it can be ordered in (`otherUoms`).
    pub others: &'a [&'a str],
    /// Their conversions (`conversions`).
    pub conversions: &'a [Conversion<'a>],
}

/// Everything wrong with a product's units.
#[must_use]
pub fn check(used: &Used<'_>) -> Vec<Finding> {
    let mut found = Found::default();
    let sound = sound_lines(used.conversions, &mut found);
    contradictions(used.conversions, &sound, &mut found);
    gaps(used, &sound, &mut found);
    found.0
}

#[derive(Default)]
struct Found(Vec<Finding>);

impl Found {
    fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push(Finding { field: field.into(), message: message.into() });
    }
}

/// Lines that are valid on their own.
fn sound_lines(lines: &[Conversion<'_>], found: &mut Found) -> Vec<usize> {
    let mut first: HashMap<(&str, &str), usize> = HashMap::new();
    let mut sound = Vec::with_capacity(lines.len());
    for (i, line) in lines.iter().enumerate() {
        if line.factor.0 <= 0 {
            found.add(format!("conversions.{i}.factor"), "Enter a factor above zero.");
        }
        if line.from == line.to {
            found.add(
                format!("conversions.{i}.toUomId"),
                "Choose two different units; one of a unit is always one of itself.",
            );
            continue;
        }
        let before = *first.entry((line.from.min(line.to), line.from.max(line.to))).or_insert(i);
        if before != i {
            let message = format!("Line {} converts these two units already; keep one of them.", before + 1);
            found.add(format!("conversions.{i}.toUomId"), message);
        } else if line.factor.0 > 0 {
            sound.push(i);
        }
    }
    sound
}

/// Lines that close a cycle whose product is not one. Nine decimals cannot represent every factor, so a cycle passes
/// when factors within half of the ninth decimal around the entered ones multiply to exactly one.
fn contradictions(lines: &[Conversion<'_>], sound: &[usize], found: &mut Found) {
    let mut tied: Tied<'_> = BTreeMap::new();
    for &i in sound {
        let line = lines[i];
        match way(lines, &tied, line.from, line.to) {
            Some(way) if !agree(lines, i, &way) => {
                found.add(format!("conversions.{i}.factor"), disagreement(lines, &way));
            }
            _ => {
                tied.entry(line.from).or_default().push(i);
                tied.entry(line.to).or_default().push(i);
            }
        }
    }
}

/// The lines at each unit.
type Tied<'a> = BTreeMap<&'a str, Vec<usize>>;

/// A line on a path, and whether it is followed in its own direction.
type Step = (usize, bool);

/// A shortest path of lines from one unit to another.
fn way(lines: &[Conversion<'_>], tied: &Tied<'_>, from: &str, to: &str) -> Option<Vec<Step>> {
    let mut came: HashMap<&str, Step> = HashMap::new();
    let mut reached = vec![from];
    while !reached.is_empty() && !came.contains_key(to) {
        let mut next = Vec::new();
        for unit in reached {
            for &i in tied.get(unit).into_iter().flatten() {
                let forward = lines[i].from == unit;
                let other = if forward { lines[i].to } else { lines[i].from };
                if other != from && !came.contains_key(other) {
                    came.insert(other, (i, forward));
                    next.push(other);
                }
            }
        }
        reached = next;
    }
    let mut steps = Vec::new();
    let mut at = to;
    while at != from {
        let (i, forward) = *came.get(at)?;
        steps.push((i, forward));
        at = if forward { lines[i].from } else { lines[i].to };
    }
    steps.reverse();
    Some(steps)
}

/// Whether a line and a path between the same two units can both be right, each factor within half of the ninth decimal
/// around the entered one.
fn agree(lines: &[Conversion<'_>], line: usize, way: &[Step]) -> bool {
    let twice = |i: usize| lines[i].factor.0.unsigned_abs() * 2;
    let least = |i: usize| Ratio::new(twice(i) - 1, 2_000_000_000);
    let most = |i: usize| Ratio::new(twice(i) + 1, 2_000_000_000);
    let (mut low, mut high) = (Ratio::one(), Ratio::one());
    for &(i, forward) in way {
        let (less, more) =
            if forward { (least(i), most(i)) } else { (most(i).inverse(), least(i).inverse()) };
        (low, high) = (low.times(&less), high.times(&more));
    }
    low <= most(line) && high >= least(line)
}

fn disagreement(lines: &[Conversion<'_>], way: &[Step]) -> String {
    let mut numbers: Vec<usize> = way.iter().map(|(i, _)| i + 1).collect();
    numbers.sort_unstable();
    let last = numbers.pop().unwrap_or_default();
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let mut said = Ratio::one();
    for &(i, forward) in way {
        let ratio = Ratio::new(lines[i].factor.0.unsigned_abs(), 1_000_000_000);
        said = said.times(&if forward { ratio } else { ratio.inverse() });
    }
    match said.factor() {
        Some(factor) => {
            format!(
                "By lines {} and {last} this is {factor}; correct one of these lines.",
                numbers.join(", ")
            )
        }
        None => format!("Lines {} and {last} say otherwise; correct one of these lines.", numbers.join(", ")),
    }
}

/// Units in use that are not connected to the base unit, and lines that connect nothing to it.
fn gaps(used: &Used<'_>, sound: &[usize], found: &mut Found) {
    let Some(base) = used.base else {
        if used.selling.is_some() || !used.others.is_empty() || !used.conversions.is_empty() {
            found.add("baseUom", "Choose the base unit; the other units are counted in it.");
        }
        return;
    };
    let lines: Vec<Conversion<'_>> = sound.iter().map(|i| used.conversions[*i]).collect();
    let units = Units::new(base, &lines);
    for i in sound.iter().filter(|i| !units.knows(used.conversions[**i].from)) {
        let message = "Neither of these units leads to the base unit; add the conversion that does.";
        found.add(format!("conversions.{i}.fromUomId"), message);
    }
    let untied = "Say how this unit converts: add a conversion that leads to the base unit.";
    let mut seen = HashSet::from([base]);
    for (i, unit) in used.others.iter().enumerate() {
        let field = format!("otherUoms.{i}.uomId");
        if *unit == base {
            found.add(field, "This is the base unit already; leave it out here.");
        } else if !seen.insert(unit) {
            found.add(field, "This unit is listed already; keep one line.");
        } else if !units.knows(unit) {
            found.add(field, untied);
        }
    }
    if used.selling.is_some_and(|unit| !units.knows(unit)) {
        found.add("defaultSellingUom", untied);
    }
}
