//! Words in status columns, and what they mean for their row.

use super::mapping::Word;
use super::names::key;

/// Words of rows that count as their figures say.
const COUNTS: [&str; 56] = [
    "sale",
    "sales",
    "sale line",
    "sales line",
    "sold",
    "s",
    "normal",
    "regular",
    "completed",
    "complete",
    "paid",
    "payment",
    "closed",
    "fulfilled",
    "unfulfilled",
    "partially fulfilled",
    "partial",
    "invoice",
    "success",
    "successful",
    "succeeded",
    "false",
    "no",
    "n",
    "0",
    "delivered",
    "done",
    "finished",
    "settled",
    "finalized",
    "finalised",
    "final",
    "approved",
    "accepted",
    "confirmed",
    "active",
    "posted",
    "ok",
    "valid",
    "served",
    "picked up",
    "collected",
    "captured",
    "received",
    "shipped",
    "processed",
    "printed",
    "billed",
    "partially refunded",
    "partially paid",
    "not void",
    "not voided",
    "not cancelled",
    "not canceled",
    "paid in full",
    "fully paid",
];

/// Words of returns.
const RETURNS: [&str; 16] = [
    "return",
    "returned",
    "return line",
    "refund line",
    "returns",
    "refund",
    "refunded",
    "r",
    "credit note",
    "credit memo",
    "refunds",
    "sales return",
    "sale return",
    "fully refunded",
    "fully returned",
    "customer return",
];

/// Words of rows that are not sales.
const LEAVE_OUT: [&str; 38] = [
    "void",
    "voided",
    "v",
    "void line",
    "cancelled",
    "canceled",
    "cancel",
    "cancellation",
    "deleted",
    "true",
    "yes",
    "y",
    "1",
    "rejected",
    "failed",
    "failure",
    "unpaid",
    "not paid",
    "unsuccessful",
    "declined",
    "expired",
    "abandoned",
    "no sale",
    "nosale",
    "draft",
    "error",
    "aborted",
    "removed",
    "reversed",
    "training",
    "training mode",
    "test",
    "invalid",
    "denied",
    "not completed",
    "incomplete",
    "not delivered",
    "undelivered",
];

/// What a phrase begins with.
const BEGINS: [(&str, Word); 18] = [
    ("cancelled ", Word::LeaveOut),
    ("canceled ", Word::LeaveOut),
    ("cancellation ", Word::LeaveOut),
    ("void ", Word::LeaveOut),
    ("voided ", Word::LeaveOut),
    ("rejected ", Word::LeaveOut),
    ("declined ", Word::LeaveOut),
    ("failed ", Word::LeaveOut),
    ("deleted ", Word::LeaveOut),
    ("expired ", Word::LeaveOut),
    ("refunded ", Word::Returns),
    ("refund ", Word::Returns),
    ("returned ", Word::Returns),
    ("completed ", Word::Counts),
    ("delivered ", Word::Counts),
    ("fulfilled ", Word::Counts),
    ("paid ", Word::Counts),
    ("closed ", Word::Counts),
];

/// What a phrase ends with.
const ENDS: [(&str, Word); 12] = [
    (" cancelled", Word::LeaveOut),
    (" canceled", Word::LeaveOut),
    (" voided", Word::LeaveOut),
    (" void", Word::LeaveOut),
    (" rejected", Word::LeaveOut),
    (" declined", Word::LeaveOut),
    (" failed", Word::LeaveOut),
    (" refunded", Word::Returns),
    (" completed", Word::Counts),
    (" delivered", Word::Counts),
    (" fulfilled", Word::Counts),
    (" paid", Word::Counts),
];

impl Word {
    /// What a cell of a status column means; `None` for a word that is not known. Yes and no are answers to «Voided?».
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        Self::of_key(&key(text))
    }

    /// The same for a text as [`key`] gives it.
    #[must_use]
    pub fn of_key(word: &str) -> Option<Self> {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let spaced = word.replace(['_', '-'], " ");
        let is = |words: &[&str]| words.contains(&word) || words.contains(&spaced.as_str());
        if is(&COUNTS) {
            return Some(Self::Counts);
        }
        if is(&RETURNS) {
            return Some(Self::Returns);
        }
        if is(&LEAVE_OUT) {
            return Some(Self::LeaveOut);
        }
        // «Not cancelled» and «partly paid» are not what their last word says.
        if ["not ", "non ", "un", "partially ", "partly ", "to be ", "awaiting "]
            .iter()
            .any(|no| spaced.starts_with(no))
        {
            return None;
        }
        let begins = BEGINS.iter().find(|(start, _)| spaced.starts_with(start));
        begins.or_else(|| ENDS.iter().find(|(end, _)| spaced.ends_with(end))).map(|(_, word)| *word)
    }
}

/// Whether a word answers yes or no.
#[must_use]
pub fn is_plain(text: &str) -> bool {
    ["true", "false", "yes", "no", "y", "n", "0", "1"].contains(&text.trim().to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("Sale", Some(Word::Counts))]
    #[case("Delivered", Some(Word::Counts))]
    #[case("Payment received", None)]
    #[case("Cancelled by customer", Some(Word::LeaveOut))]
    #[case("CANCELLED_BY_STORE", Some(Word::LeaveOut))]
    #[case("Order cancelled", Some(Word::LeaveOut))]
    #[case("not cancelled", Some(Word::Counts))]
    #[case("Not yet paid", None)]
    #[case("Unpaid", Some(Word::LeaveOut))]
    #[case("partially_refunded", Some(Word::Counts))]
    #[case("Refunded", Some(Word::Returns))]
    #[case("Preparing", None)]
    #[case("Dine in", None)]
    fn words_say_whether_a_row_counts(#[case] text: &str, #[case] means: Option<Word>) {
        assert_eq!(Word::of(text), means);
    }
}
