//! Combines the candidates of several passes so that the equations hold. The search is bounded, and values derived only
//! from an equation are marked.

use std::collections::BTreeMap;

use crate::fields::field::Field;
use crate::fields::label::distance;
use crate::fields::template::{Basis, Template};

use super::equations::{Equation, NEAR, vat_of};

/// A number that was read, and the cost of believing it: 0 for the likeliest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Numbered {
    pub number: i64,
    pub cost: f32,
}

/// The numbers read for each field, cheapest first.
pub type Options = BTreeMap<Field, Vec<Numbered>>;

/// The number of a field, and whether it was read or derived from an equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    pub number: i64,
    pub read: bool,
}

/// Cost of a violated equation.
const BROKEN: f32 = 6.0;
/// Minimum cost of a number that no pass read.
const SUPPLIED: f32 = 1.5;
/// Cost of VAT that is not 12%.
const NOT_VAT: f32 = 3.0;
/// Maximum combinations tried per equation.
const MOST_TRIED: usize = 4_000;

/// The likeliest numbers of all fields in equations.
pub fn solve(equations: &[Equation], options: &Options, template: &Template) -> BTreeMap<Field, Chosen> {
    let shared: Vec<Field> = match template.basis {
        Basis::Net => vec![Field::Net],
        Basis::Gross => vec![Field::Net, Field::Gross],
    };
    let mut best: Option<(f32, BTreeMap<Field, Chosen>)> = None;
    for (start_cost, fixed) in starts(equations, options, &shared) {
        let (mut cost, mut chosen) = (start_cost, fixed);
        for equation in equations {
            let (more, found) = satisfy(equation, options, &chosen, template);
            cost += more;
            chosen.extend(found);
        }
        if best.as_ref().is_none_or(|it| cost < it.0) {
            best = Some((cost, chosen));
        }
    }
    best.map(|it| it.1).unwrap_or_default()
}

/// The possible values of fields shared by several equations: read ones, and derived ones.
fn starts(
    equations: &[Equation],
    options: &Options,
    shared: &[Field],
) -> Vec<(f32, BTreeMap<Field, Chosen>)> {
    let mut starts = vec![(0.0, BTreeMap::new())];
    for field in shared {
        let mut mine: Vec<(f32, Chosen)> = read(options, *field)
            .iter()
            .take(5)
            .map(|it| (it.cost, Chosen { number: it.number, read: true }))
            .collect();
        let price = supplied_cost(options, *field, None);
        for equation in equations.iter().filter(|equation| equation.fields().any(|it| it == *field)) {
            let likeliest = |other: Field| read(options, other).first().map(|it| it.number);
            if let Some(number) = equation.solve(*field, likeliest).filter(|number| *number >= 0)
                && mine.iter().all(|it| it.1.number != number)
            {
                mine.push((price, Chosen { number, read: false }));
            }
        }
        if mine.is_empty() {
            continue;
        }
        starts = starts
            .iter()
            .flat_map(|(cost, chosen)| {
                mine.iter().map(move |(more, it)| {
                    let mut chosen = chosen.clone();
                    chosen.insert(*field, *it);
                    (cost + more, chosen)
                })
            })
            .collect();
    }
    starts
}

fn read(options: &Options, field: Field) -> &[Numbered] {
    options.get(&field).map_or(&[], Vec::as_slice)
}

/// The cost of a number that no pass read for a field: more where passes were sure of another one, less where it is one
/// digit off.
fn supplied_cost(options: &Options, field: Field, number: Option<i64>) -> f32 {
    match read(options, field).first() {
        None => SUPPLIED,
        Some(_) => {
            let near = number
                .is_some_and(|number| read(options, field).iter().any(|it| one_digit_off(it.number, number)));
            SUPPLIED + if near { 0.7 } else { 2.0 }
        }
    }
}

/// Whether one digit changed, removed or inserted turns one number into the other.
fn one_digit_off(a: i64, b: i64) -> bool {
    let letters = |number: i64| number.to_string().chars().collect::<Vec<_>>();
    distance(&letters(a), &letters(b)) == 1
}

/// The cheapest numbers that satisfy an equation, given those already chosen; else the likeliest ones and the cost of a
/// violated equation.
fn satisfy(
    equation: &Equation,
    options: &Options,
    fixed: &BTreeMap<Field, Chosen>,
    template: &Template,
) -> (f32, BTreeMap<Field, Chosen>) {
    let free: Vec<Field> = equation.fields().filter(|field| !fixed.contains_key(field)).collect();
    let mut best = broken(&free, options);
    if equation_holds(equation, fixed, &best.1) {
        best.0 -= BROKEN;
    }
    best.0 += vat_cost(equation, fixed, &best.1, template);
    for (at, left_out) in free.iter().enumerate() {
        let others: Vec<Field> = free.iter().enumerate().filter(|it| it.0 != at).map(|it| *it.1).collect();
        let mut lists: Vec<&[Numbered]> = others.iter().map(|field| read(options, *field)).collect();
        if lists.iter().any(|list| list.is_empty()) {
            continue;
        }
        for most in [4, 3, 2, 1] {
            lists.iter_mut().for_each(|list| *list = &list[..list.len().min(most)]);
            if lists.iter().map(|list| list.len()).product::<usize>() <= MOST_TRIED {
                break;
            }
        }
        let mut picks = vec![0; lists.len()];
        loop {
            let cost: f32 = picks.iter().zip(&lists).map(|(pick, list)| list[*pick].cost).sum();
            if cost < best.0 {
                let mut chosen: BTreeMap<Field, Chosen> = others
                    .iter()
                    .zip(picks.iter().zip(&lists))
                    .map(|(field, (pick, list))| (*field, Chosen { number: list[*pick].number, read: true }))
                    .collect();
                let value = |field: Field| chosen.get(&field).or(fixed.get(&field)).map(|it| it.number);
                if let Some(number) = equation.solve(*left_out, value).filter(|number| *number >= 0) {
                    let known = read(options, *left_out).iter().find(|it| it.number == number);
                    let price =
                        known.map_or_else(|| supplied_cost(options, *left_out, Some(number)), |it| it.cost);
                    chosen.insert(*left_out, Chosen { number, read: known.is_some() });
                    let whole = cost + price + vat_cost(equation, fixed, &chosen, template);
                    if whole < best.0 {
                        best = (whole, chosen);
                    }
                }
            }
            if !step(&mut picks, &lists) {
                break;
            }
        }
    }
    best
}

/// The next combination; `false` after the last.
fn step(picks: &mut [usize], lists: &[&[Numbered]]) -> bool {
    for (pick, list) in picks.iter_mut().zip(lists) {
        *pick += 1;
        if *pick < list.len() {
            return true;
        }
        *pick = 0;
    }
    false
}

/// The likeliest number of each field, at the cost of a violated equation.
fn broken(free: &[Field], options: &Options) -> (f32, BTreeMap<Field, Chosen>) {
    let likeliest = free.iter().filter_map(|field| Some((*field, *read(options, *field).first()?)));
    (BROKEN, likeliest.map(|(field, it)| (field, Chosen { number: it.number, read: true })).collect())
}

fn equation_holds(
    equation: &Equation,
    fixed: &BTreeMap<Field, Chosen>,
    more: &BTreeMap<Field, Chosen>,
) -> bool {
    let value = |field: Field| more.get(&field).or(fixed.get(&field)).map(|it| it.number);
    value(equation.right).is_some() && equation.sum(value) == value(equation.right)
}

fn vat_cost(
    equation: &Equation,
    fixed: &BTreeMap<Field, Chosen>,
    more: &BTreeMap<Field, Chosen>,
    template: &Template,
) -> f32 {
    let value = |field: Field| more.get(&field).or(fixed.get(&field)).map(|it| it.number);
    if !equation.fields().any(|field| field == Field::Vat) {
        return 0.0;
    }
    match (value(Field::Vatable), value(Field::Vat)) {
        (Some(vatable), Some(vat)) if vat_of(vatable, template.vat).abs_diff(vat) > NEAR.unsigned_abs() => {
            NOT_VAT
        }
        _ => 0.0,
    }
}
