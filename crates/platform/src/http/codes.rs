//! The codes of problems: what programs match on. [`CODES`] is the one list of them; the contract has it as `ProblemCode`.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Every code and what it says, in alphabetical order.
pub const CODES: &[(&str, &str)] = &[
    ("allStores", "It holds for all stores, and the user reaches some."),
    ("alreadyImported", "The file, or its days, were imported before."),
    ("attestation", "The device did not prove itself."),
    ("backdated", "The day is so far back that it needs a reason."),
    ("backorderSent", "What was to be sent again has left already."),
    ("badRequest", "The request is not understood."),
    ("beingDelivered", "A delivery of the order is being made ready."),
    ("broken", "The file cannot be read."),
    ("builtIn", "It comes with the product and stays."),
    ("busy", "The server has no room or no time; trying again helps."),
    ("changed", "Records changed since they were imported."),
    ("checksFail", "Checks of a reading fail."),
    ("counterTaken", "Another reading has this counter."),
    ("crossSite", "The request came from another site."),
    ("daysMissing", "Days of the month have no verified reading."),
    ("declared", "The cash of the day is declared already."),
    ("deliveryReused", "The name of a delivery was used for another one."),
    ("differs", "It differs from what was certified."),
    ("disabled", "The account is disabled."),
    ("draftExists", "There is a draft for the same already."),
    ("duplicate", "Another record has this value."),
    ("duplicateDeposit", "The same deposit is there already."),
    ("firstStartOver", "The installation has its first user."),
    ("forbidden", "The right is missing."),
    ("frozen", "The week is frozen."),
    ("frozenWeek", "The day is in a frozen week."),
    ("gone", "It is no longer kept."),
    ("grantRefused", "Nobody gives a right they do not hold."),
    ("held", "Two devices counted; somebody has to choose."),
    ("internal", "Something broke on the server."),
    ("inUse", "Other records refer to it."),
    ("invalid", "Fields are wrong."),
    ("keyReused", "The idempotency key was used for another request."),
    ("lastSuperAdmin", "Somebody has to remain super admin."),
    ("leased", "Somebody else counts this session."),
    ("locked", "It is certified and can no longer be changed."),
    ("methodNotAllowed", "The address does not take this method."),
    ("muchMore", "A quantity is far beyond what was asked for."),
    ("mustChangePassword", "The user has to set a password of their own first."),
    ("name", "The name is taken."),
    ("noCommissary", "There is no commissary to post at."),
    ("noEmailColumn", "The file has no column of e-mail addresses."),
    ("noExternalId", "The file has no column of external ids."),
    ("noLines", "The file has no lines."),
    ("noPicture", "The reading has no picture."),
    ("noSales", "There are no sales to check against."),
    ("notATable", "The file is no table."),
    ("notBegun", "The run has not begun."),
    ("notEnough", "There is less on hand."),
    ("notFound", "There is no such record, file or address."),
    ("nothingKnown", "Nothing in the file is known here."),
    ("nothingToExport", "Nothing is ready to be exported."),
    ("nothingToRead", "The file has nothing to read."),
    ("nothingToSend", "Nothing is left to send."),
    ("nothingToWrite", "Nothing would be written."),
    ("notInstalled", "A program that it needs is not installed."),
    ("notOnItsWay", "The delivery is not on its way."),
    ("notPlannable", "It cannot be planned."),
    ("notReady", "The report is not ready yet."),
    ("notRecalled", "The lot is not recalled."),
    ("notYours", "It belongs to somebody else."),
    ("oldPlan", "The plan is too old to order by."),
    ("open", "The week is open."),
    ("outOfScope", "The store is out of the user's reach."),
    ("paused", "The feed is paused."),
    ("pending", "Differences are not settled yet."),
    ("posted", "The document is posted already."),
    ("protectedField", "Only others may change this field."),
    ("pushed", "The feed is pushed, not fetched."),
    ("reauthenticate", "The user has to prove anew who they are."),
    ("recalled", "The lot is recalled."),
    ("reconciled", "It is reconciled and can no longer be taken back."),
    ("reference", "A record it refers to does not exist."),
    ("refused", "It was refused."),
    ("reversal", "It takes another document back already."),
    ("reversed", "The document was taken back already."),
    ("running", "A run is under way."),
    ("service", "Only people do this."),
    ("slipTaken", "The deposit slip is used already."),
    ("stale", "The record changed since it was read."),
    ("state", "It cannot be done in this state."),
    ("takenIn", "All of the delivery was taken in."),
    ("takenInMeanwhile", "Part of the delivery was taken in since."),
    ("tokenTooOld", "The sign-in is too long ago."),
    ("tooDeep", "The body is nested too deeply."),
    ("tooLarge", "The body, or a quantity, is too large."),
    ("tooMany", "Too much was tried; waiting helps."),
    ("tooManyCells", "The table would be too large."),
    ("tooManyPages", "The document has too many pages."),
    ("tooManyPixels", "The picture is too large."),
    ("tooManyRows", "The file would have too many rows."),
    ("tooManyStreams", "Too many windows listen at once."),
    ("tooMuch", "It asks for more than can be done at once."),
    ("tooMuchMemory", "The picture would need too much memory."),
    ("tooSlow", "It took too long."),
    ("totpOn", "A second factor is set up already."),
    ("totpRequired", "The user has to set up a second factor first."),
    ("unauthenticated", "Nobody is signed in."),
    ("unknownItems", "Items of the file are not mapped."),
    ("unknownKey", "The key of the feed is not known."),
    ("unknownStores", "Stores of the file are not known."),
    ("unreadable", "The file cannot be read."),
    ("unsigned", "The push is not signed."),
    ("unsupported", "The kind of file is not taken."),
    ("voided", "It was voided."),
    ("wrongStep", "The step cannot be taken in this state."),
];

/// Whether a code is one of [`CODES`].
#[must_use]
pub fn is_known(code: &str) -> bool {
    CODES.iter().any(|(known, _)| *known == code)
}

/// A code in the contract.
#[derive(Debug)]
pub struct ProblemCode;

impl PartialSchema for ProblemCode {
    fn schema() -> RefOr<Schema> {
        let said: Vec<String> = CODES.iter().map(|(code, says)| format!("- `{code}`: {says}")).collect();
        let description = format!("A short name programs can match on.\n\n{}", said.join("\n"));
        let codes: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
        let object = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(codes));
        RefOr::T(object.description(Some(description)).build().into())
    }
}

impl ToSchema for ProblemCode {
    fn name() -> std::borrow::Cow<'static, str> {
        "ProblemCode".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_sorted() {
        assert!(CODES.windows(2).all(|pair| pair[0].0.to_lowercase() < pair[1].0.to_lowercase()));
        assert!(is_known("stale") && !is_known("Stale"));
    }
}
