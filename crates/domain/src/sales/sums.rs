//! The sums of all items of one store and period as one short text, made to be read fast.
//!
//! An item is its figures, each followed by a space, its id and `;`: `12m 150000  12 0q8x…;`. Millions
//! are written `m`, as quantities count millionths; a figure like the one before is left out, as gross
//! and net often agree. Items are sorted by id and never all zeros.

use std::borrow::Cow;

/// A text that is no sums, or a sum past what 64 bits hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SumsError {
    /// Nothing here wrote this text.
    Unreadable,
    /// A sum is past what 64 bits hold.
    TooLarge,
}

impl std::fmt::Display for SumsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unreadable => "kept sums cannot be read",
            Self::TooLarge => "the sums grow past what can be kept",
        })
    }
}

impl std::error::Error for SumsError {}

/// The figures of an item: quantity, gross, net and lines of a POS item, quantity of a root item.
pub type Figures<const N: usize> = [i64; N];

const MILLION: i64 = 1_000_000;

/// Packs items, which must be sorted by id; those that come to nothing are left out.
#[must_use]
pub fn pack<'a, const N: usize>(items: impl IntoIterator<Item = (&'a str, Figures<N>)>) -> String {
    let mut out = String::new();
    for (id, figures) in items {
        push(&mut out, id, &figures);
    }
    out
}

/// Adds items, sorted by id, to packed sums.
///
/// # Errors
/// When the text cannot be read, or a sum is past 64 bits.
pub fn merge<S: AsRef<str>, const N: usize>(
    packed: &str,
    more: &[(S, Figures<N>)],
) -> Result<String, SumsError> {
    let mut out = String::with_capacity(packed.len() + more.len() * (N * 8 + 18));
    let mut more = more.iter().map(|(id, figures)| (id.as_ref(), figures)).peekable();
    for item in items::<N>(packed) {
        let (id, mut figures) = item?;
        while let Some((new, added)) = more.next_if(|(new, _)| *new < &*id) {
            push(&mut out, new, added);
        }
        while let Some((_, added)) = more.next_if(|(new, _)| *new == &*id) {
            add(&mut figures, added)?;
        }
        push(&mut out, &id, &figures);
    }
    for (id, figures) in more {
        push(&mut out, id, figures);
    }
    Ok(out)
}

/// Reads packed sums item by item, sorted by id.
pub fn items<const N: usize>(
    packed: &str,
) -> impl Iterator<Item = Result<(Cow<'_, str>, Figures<N>), SumsError>> {
    let mut rest = packed;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let item = read(rest);
        rest = item.as_ref().map_or("", |(_, _, after)| *after);
        Some(item.map(|(id, figures, _)| (id, figures)))
    })
}

type Read<'a, const N: usize> = (Cow<'a, str>, Figures<N>, &'a str);

fn read<const N: usize>(text: &str) -> Result<Read<'_, N>, SumsError> {
    let bytes = text.as_bytes();
    let mut figures = [0; N];
    let mut at = 0;
    let mut last = 0;
    for figure in &mut figures {
        let (value, next) = number(bytes, at, last).ok_or(SumsError::Unreadable)?;
        (*figure, last, at) = (value, value, next);
    }
    let mut end = at;
    let mut plain = true;
    loop {
        match bytes.get(end) {
            Some(b';') => break,
            Some(byte) => plain &= *byte != b'~',
            None => return Err(SumsError::Unreadable),
        }
        end += 1;
    }
    let id = &text[at..end];
    let id = if plain { Cow::Borrowed(id) } else { Cow::Owned(id.replace("~s", ";").replace("~t", "~")) };
    Ok((id, figures, &text[end + 1..]))
}

/// The number at a place and the place behind its space; nothing there stands for the one before.
fn number(bytes: &[u8], mut at: usize, before: i64) -> Option<(i64, usize)> {
    if *bytes.get(at)? == b' ' {
        return Some((before, at + 1));
    }
    let negative = bytes[at] == b'-';
    at += usize::from(negative);
    let mut size = 0u64;
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        match byte {
            b'0'..=b'9' => size = size.wrapping_mul(10).wrapping_add(u64::from(byte - b'0')),
            b'm' => size = size.wrapping_mul(MILLION.unsigned_abs()),
            b' ' => break,
            _ => return None,
        }
    }
    let value = size.cast_signed();
    Some((if negative { value.wrapping_neg() } else { value }, at))
}

fn push<const N: usize>(out: &mut String, id: &str, figures: &Figures<N>) {
    if figures.iter().all(|figure| *figure == 0) {
        return;
    }
    let mut last = None;
    for figure in figures {
        if last != Some(*figure) {
            if *figure != 0 && figure % MILLION == 0 {
                super::day::push_number(out, figure / MILLION);
                out.push('m');
            } else {
                super::day::push_number(out, *figure);
            }
        }
        last = Some(*figure);
        out.push(' ');
    }
    if id.contains(['~', ';']) {
        out.push_str(&id.replace('~', "~t").replace(';', "~s"));
    } else {
        out.push_str(id);
    }
    out.push(';');
}

fn add<const N: usize>(sum: &mut Figures<N>, more: &Figures<N>) -> Result<(), SumsError> {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum = sum.checked_add(*more).ok_or(SumsError::TooLarge)?;
    }
    Ok(())
}

/// Adds up many packed texts. An item stays even if its sums come to nothing together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adder<const N: usize>(Vec<(String, Figures<N>)>);

impl<const N: usize> Default for Adder<N> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<const N: usize> Adder<N> {
    /// Adds one text.
    ///
    /// # Errors
    /// When the text cannot be read, or a sum is past 64 bits.
    pub fn add(&mut self, packed: &str) -> Result<(), SumsError> {
        let mut at = 0;
        for item in items::<N>(packed) {
            let (id, figures) = item?;
            at = self.put(at, id, &figures)?;
        }
        Ok(())
    }

    /// Adds what another has added up.
    ///
    /// # Errors
    /// When a sum is past 64 bits.
    pub fn join(&mut self, other: Self) -> Result<(), SumsError> {
        let mut at = 0;
        for (id, figures) in other.0 {
            at = self.put(at, Cow::Owned(id), &figures)?;
        }
        Ok(())
    }

    /// Adds an item that belongs at a place or behind it, and tells the place of the next. Both sides are
    /// sorted and mostly name the same items: walking them needs no look-ups.
    fn put(&mut self, mut at: usize, id: Cow<'_, str>, figures: &Figures<N>) -> Result<usize, SumsError> {
        while self.0.get(at).is_some_and(|(known, _)| known.as_str() < &*id) {
            at += 1;
        }
        match self.0.get_mut(at) {
            Some((known, sum)) if *known == *id => add(sum, figures)?,
            _ => self.0.insert(at, (id.into_owned(), *figures)),
        }
        Ok(at + 1)
    }

    /// The sums of each item, sorted by id.
    #[must_use]
    pub fn into_items(self) -> Vec<(String, Figures<N>)> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Items = BTreeMap<String, Figures<4>>;

    fn figure() -> impl Strategy<Value = i64> {
        prop_oneof![any::<i64>(), -5i64..5, (-9i64..9).prop_map(|n| n * MILLION), Just(i64::MIN)]
    }

    fn sums() -> impl Strategy<Value = Items> {
        let id = prop_oneof!["[a-e]", "unmapped:[;~s é0-9 m-]{0,4}", any::<String>()];
        prop::collection::btree_map(id, [figure(), figure(), figure(), figure()], 0..12)
    }

    fn small() -> impl Strategy<Value = Items> {
        let figure = || -3i64..4;
        prop::collection::btree_map("[a-f;~]", [figure(), figure(), figure(), figure()], 0..8)
    }

    fn packed(items: &Items) -> String {
        pack(items.iter().map(|(id, figures)| (id.as_str(), *figures)))
    }

    fn unpack(text: &str) -> Result<Vec<(String, Figures<4>)>, SumsError> {
        items(text).map(|item| item.map(|(id, figures)| (id.into_owned(), figures))).collect()
    }

    fn without_zeros(items: Items) -> Vec<(String, Figures<4>)> {
        items.into_iter().filter(|(_, figures)| *figures != [0; 4]).collect()
    }

    #[test]
    fn an_item_is_a_few_bytes() {
        let text = pack([("0q8x", [12_000_000, 150_000, 150_000, 12]), ("a;b", [-1, 0, 0, 0])]);
        assert_eq!(text, "12m 150000  12 0q8x;-1 0   a~sb;");
        assert_eq!(pack([("root", [500_000])]), "500000 root;");
    }

    #[test]
    fn a_sum_past_64_bits_is_refused() {
        let text = pack([("a", [i64::MAX])]);
        assert_eq!(merge(&text, &[("a", [1])]), Err(SumsError::TooLarge));
        let mut adder = Adder::<1>::default();
        adder.add(&text).expect("one");
        assert_eq!(adder.add(&text), Err(SumsError::TooLarge));
    }

    proptest! {
        #[test]
        fn packing_loses_nothing_but_zeros(items in sums()) {
            prop_assert_eq!(unpack(&packed(&items)), Ok(without_zeros(items)));
        }

        #[test]
        fn merging_is_adding(old in small(), more in small()) {
            let mut sums = old.clone();
            for (id, figures) in &more {
                add(sums.entry(id.clone()).or_default(), figures).expect("small");
            }
            let added: Vec<_> = more.iter().map(|(id, figures)| (id, *figures)).collect();
            let merged = merge(&packed(&old), &added).expect("small");
            prop_assert_eq!(&merged, &packed(&sums));
            let mut adder = Adder::default();
            adder.add(&packed(&old)).expect("small");
            let mut other = Adder::default();
            other.add(&packed(&more)).expect("small");
            adder.join(other).expect("small");
            let left: Items = adder.into_items().into_iter().collect();
            prop_assert_eq!(without_zeros(left), without_zeros(sums.clone()));
            // Taken away again, nothing is left.
            let all: Vec<_> = sums.iter().map(|(id, figures)| (id, figures.map(|figure| -figure))).collect();
            prop_assert_eq!(merge(&merged, &all), Ok(String::new()));
        }

        #[test]
        fn any_other_text_is_refused_or_harmless(text: String) {
            let _ = unpack(&text);
            let _ = items::<1>(&text).count();
        }
    }
}
