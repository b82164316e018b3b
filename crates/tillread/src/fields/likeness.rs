//! Comparison of digit images with the mean of each digit.

use crate::picture::gray::percentile;

/// Width of a mean digit image, in samples.
pub const WIDE: usize = 14;
pub const HIGH: usize = 20;
/// Maximum shift of a digit, in samples in each direction.
pub const SHIFT: usize = 2;
/// Minimum examples for a mean.
const EXAMPLES: usize = 3;
/// Minimum lead of the best digit over the next, in correlation.
const AHEAD: f32 = 0.03;
/// Minimum similarity to a digit; glyphs much less similar than others on the page are rejected too.
const LIKE: f32 = 0.45;
const MUCH_LESS: f32 = 0.8;
/// The place of a shift by nothing among all shifts.
const UNMOVED: usize = SHIFT * (2 * SHIFT + 1) + SHIFT;
/// The shifts by at most one sample.
const NEAR: [usize; 9] = [
    UNMOVED - 2 * SHIFT - 2,
    UNMOVED - 2 * SHIFT - 1,
    UNMOVED - 2 * SHIFT,
    UNMOVED - 1,
    UNMOVED,
    UNMOVED + 1,
    UNMOVED + 2 * SHIFT,
    UNMOVED + 2 * SHIFT + 1,
    UNMOVED + 2 * SHIFT + 2,
];
/// Glyphs at least this similar are of one kind.
const ALIKE: f32 = 0.92;
/// Maximum kinds of glyphs: ten digits, and broken ones.
const MOST_KINDS: usize = 24;
/// A digit that passes read at least this often for a kind can be its digit.
const SELDOM: f32 = 0.03;

/// A glyph: the character read, its surroundings, and whether it is a good example.
pub struct Glyph {
    pub division: usize,
    pub read: Option<usize>,
    /// The digits that all passes read here.
    pub reads: Vec<usize>,
    pub patch: Vec<f32>,
    pub seed: bool,
}

/// Which glyphs are the first examples of a digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Examples {
    /// Those on which passes agree.
    Agreed,
    /// Those that look alike, if passes took two kinds of them for the same digit: one of the two is a digit missing
    /// otherwise, the one taken for it more often, or else the other. This tells slashed zeros from eights where the engine
    /// does not; sums tell which of the two is right.
    Alike { other: bool },
}

/// A shifted part of a patch, with mean 0 and length 1.
fn moved(patch: &[f32], dx: usize, dy: usize) -> Vec<f32> {
    let stride = WIDE + 2 * SHIFT;
    let mut out: Vec<f32> =
        (0..HIGH).flat_map(|y| patch[(y + dy) * stride + dx..][..WIDE].iter().copied()).collect();
    let mean = out.iter().sum::<f32>() / out.len() as f32;
    out.iter_mut().for_each(|value| *value -= mean);
    let length = out.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-3);
    out.iter_mut().for_each(|value| *value /= length);
    out
}

/// All shifts of a patch.
fn all_moved(patch: &[f32]) -> Vec<Vec<f32>> {
    (0..=2 * SHIFT)
        .flat_map(|dy| (0..=2 * SHIFT).map(move |dx| (dx, dy)))
        .map(|(dx, dy)| moved(patch, dx, dy))
        .collect()
}

fn product(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// What glyphs are.
pub struct Decided {
    /// The digit of each glyph, with confidence.
    pub digits: Vec<Option<(usize, f32)>>,
    /// Digits that the engine takes for another on this paper: as read, and as it is.
    pub confused: Vec<(usize, usize)>,
}

/// The digit each glyph is most similar to, with confidence; `None` where two are equally similar or there is no mean
/// to compare with. A glyph does not count in the mean it is compared with.
pub fn decide(glyphs: &[Glyph], examples: Examples) -> Option<Decided> {
    let ways: Vec<Vec<Vec<f32>>> = glyphs.iter().map(|glyph| all_moved(&glyph.patch)).collect();
    let mut placed: Vec<usize> = vec![UNMOVED; glyphs.len()];
    let mut confused = Vec::new();
    let mut labels: Vec<Option<usize>> = match examples {
        Examples::Agreed => glyphs.iter().map(|glyph| glyph.read.filter(|_| glyph.seed)).collect(),
        Examples::Alike { other } => {
            let kinds = kinds(&ways, &mut placed);
            let digits = digits_of(&kinds, glyphs, other, &mut confused)?;
            kinds.iter().map(|kind| kind.and_then(|kind| digits[kind])).collect()
        }
    };
    let mut decided = Vec::new();
    for _ in 0..3 {
        let mut sums = vec![(0usize, vec![0.0f32; WIDE * HIGH]); 10];
        for ((label, way), ways) in labels.iter().zip(&placed).zip(&ways) {
            if let Some(digit) = label {
                sums[*digit].0 += 1;
                sums[*digit].1.iter_mut().zip(&ways[*way]).for_each(|(sum, value)| *sum += value);
            }
        }
        if sums.iter().filter(|it| it.0 >= EXAMPLES).count() < 6 {
            return None;
        }
        decided = glyphs
            .iter()
            .enumerate()
            .map(|(index, _)| {
                best(&ways[index], &sums, labels[index].map(|digit| (digit, &ways[index][placed[index]])))
            })
            .collect::<Vec<_>>();
        for (index, found) in decided.iter().enumerate() {
            if let Some((digit, _, way, sure)) = found {
                placed[index] = *way;
                labels[index] = sure.then_some(*digit);
            }
        }
    }
    let usual = percentile(&decided.iter().flatten().map(|it| it.1).collect::<Vec<_>>(), 0.5);
    let least = LIKE.max(usual * MUCH_LESS);
    // A glyph that is most similar to the digit it was read as keeps it, even with a small lead.
    let kept = decided.into_iter().zip(glyphs).map(|(found, glyph)| {
        let (digit, like, _, sure) = found?;
        (like > least && (sure || glyph.read == Some(digit))).then_some((digit, like.clamp(0.0, 1.0)))
    });
    Some(Decided { digits: kept.collect(), confused })
}

/// Sorts glyphs by their looks: the kind of each, and how it is shifted within it; none for a glyph like few others.
fn kinds(ways: &[Vec<Vec<f32>>], placed: &mut [usize]) -> Vec<Option<usize>> {
    let mut of: Vec<Option<usize>> = vec![None; ways.len()];
    let mut means: Vec<Vec<f32>> = Vec::new();
    for round in 0..3 {
        let mut lengths: Vec<f32> = means.iter().map(|mean| product(mean, mean).sqrt().max(1e-6)).collect();
        let mut sums = if round == 0 { Vec::new() } else { vec![vec![0.0f32; WIDE * HIGH]; means.len()] };
        for (at, ways) in ways.iter().enumerate() {
            let scores = means.iter().zip(&lengths).enumerate().flat_map(|(kind, (mean, length))| {
                NEAR.iter().map(move |way| (product(&ways[*way], mean) / length, kind, *way))
            });
            let best = scores.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|it| it.0 > ALIKE);
            of[at] = best.map(|it| it.1);
            placed[at] = best.map_or(UNMOVED, |it| it.2);
            if round > 0 {
                if let Some((_, kind, way)) = best {
                    sums[kind].iter_mut().zip(&ways[way]).for_each(|(sum, value)| *sum += value);
                }
                continue;
            }
            let kind = best.map_or(means.len(), |it| it.1);
            if best.is_none() && means.len() < MOST_KINDS {
                means.push(vec![0.0; WIDE * HIGH]);
                lengths.push(0.0);
            }
            if let Some(mean) = means.get_mut(kind) {
                mean.iter_mut().zip(&ways[placed[at]]).for_each(|(sum, value)| *sum += value);
                lengths[kind] = product(mean, mean).sqrt().max(1e-6);
            }
        }
        if round > 0 {
            means = sums;
        }
    }
    let mut counts = vec![0; means.len()];
    of.iter().flatten().for_each(|kind| counts[*kind] += 1);
    of.into_iter().map(|kind| kind.filter(|kind| counts[*kind] >= EXAMPLES)).collect()
}

/// The digit of each kind: the one that passes read most. Of kinds read as the same digit, the one that was also read as a
/// digit no kind has is that one, or with `other` the next. `None` if there are no such kinds.
fn digits_of(
    kinds: &[Option<usize>],
    glyphs: &[Glyph],
    other: bool,
    confused: &mut Vec<(usize, usize)>,
) -> Option<Vec<Option<usize>>> {
    let count = kinds.iter().flatten().max()? + 1;
    let mut reads = vec![[0usize; 10]; count];
    for (kind, glyph) in kinds.iter().zip(glyphs) {
        let Some(kind) = kind else { continue };
        glyph.reads.iter().for_each(|digit| reads[*kind][*digit] += 1);
    }
    let share = |kind: usize, digit: usize| {
        reads[kind][digit] as f32 / reads[kind].iter().sum::<usize>().max(1) as f32
    };
    let mut digits: Vec<Option<usize>> = reads
        .iter()
        .map(|reads| (0..10).max_by_key(|digit| reads[*digit]).filter(|digit| reads[*digit] > 0))
        .collect();
    for missing in (0..10).filter(|digit| !digits.contains(&Some(*digit))).collect::<Vec<_>>() {
        let mut taken: Vec<usize> = (0..count)
            .filter(|kind| {
                let same = |other: &usize| digits[*other].is_some() && digits[*other] == digits[*kind];
                (0..count).filter(same).count() > 1
            })
            .collect();
        taken.sort_by(|a, b| share(*b, missing).total_cmp(&share(*a, missing)));
        if taken.first().is_none_or(|kind| share(*kind, missing) <= SELDOM) {
            continue;
        }
        // The other one is of the same digit as the likeliest.
        let first = taken[0];
        let next = taken[1..].iter().find(|kind| digits[**kind] == digits[first]).copied();
        if let Some(kind) = if other { next } else { Some(first) } {
            confused.extend(digits[kind].map(|digit| (digit, missing)));
            digits[kind] = Some(missing);
        }
    }
    (!confused.is_empty()).then_some(digits)
}

/// The likeliest digit: which, similarity, shift, and whether it is certain.
fn best(
    ways: &[Vec<f32>],
    sums: &[(usize, Vec<f32>)],
    own: Option<(usize, &Vec<f32>)>,
) -> Option<(usize, f32, usize, bool)> {
    let mut scores: Vec<(f32, usize, usize)> = Vec::with_capacity(10);
    for (digit, (count, sum)) in sums.iter().enumerate() {
        let mine = own.filter(|it| it.0 == digit).map(|it| it.1);
        if count - usize::from(mine.is_some()) < EXAMPLES - 1 {
            continue;
        }
        let mean: Vec<f32> = match mine {
            Some(mine) => sum.iter().zip(mine).map(|(a, b)| a - b).collect(),
            None => sum.clone(),
        };
        let length = product(&mean, &mean).sqrt().max(1e-6);
        let found = ways.iter().enumerate().map(|(way, it)| (product(it, &mean) / length, digit, way));
        scores.extend(found.max_by(|a, b| a.0.total_cmp(&b.0)));
    }
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (like, digit, way) = *scores.first()?;
    let next = scores.get(1).map_or(0.0, |it| it.0);
    Some((digit, like, way, like > LIKE && like - next > AHEAD))
}
