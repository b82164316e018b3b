//! Problem codes, for programs to match on. The contract lists [`CODES`] as `ProblemCode`.

use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

/// Every code and its meaning, in alphabetical order.
pub const CODES: &[(&str, &str)] = &[
    ("ahead", "The count is of a time that has not come yet."),
    ("allStores", "The setting applies to all stores; the user may access only some."),
    ("alreadyImported", "The file, or its days, were imported before."),
    ("asks", "Questions about the file are open."),
    ("attestation", "The device's proof is invalid."),
    ("backdated", "The date is too far back without an override and a reason."),
    ("backorderSent", "A backordered quantity was sent already."),
    ("badRequest", "The request is malformed."),
    ("beingDelivered", "A delivery of the order is in preparation."),
    ("broken", "The file is damaged or locked."),
    ("builtIn", "The record is built in and cannot be removed."),
    ("busy", "The server is overloaded; retry later."),
    ("changed", "Records changed since they were imported."),
    ("checksFail", "A reading fails its checks."),
    ("countAgain", "Something was counted before another stock-take or a merge changed it."),
    ("counterTaken", "Another reading of the till has this counter."),
    ("crossSite", "The request came from another site."),
    ("cutoffPassed", "The cut-off of the order has passed."),
    (
        "daysMissing",
        "Days of the month lack a verified reading, or are marked as closed but had sales or readings.",
    ),
    ("declared", "The day's cash is declared already."),
    ("deliveryReused", "The delivery id was used for another body."),
    ("differs", "The figures differ from the certified ones."),
    ("disabled", "The account is disabled."),
    ("draftExists", "A draft for the same purpose exists."),
    ("duplicate", "Another record has this value."),
    ("duplicateDeposit", "The deposit was entered before."),
    ("expired", "The lot expires before it is used; an override and a reason are needed."),
    ("exported", "Days were exported, withdrawn or answered meanwhile."),
    ("firstStartOver", "The first-start link was used, replaced or has expired."),
    ("forbidden", "A permission is missing."),
    ("frozen", "The week is frozen."),
    ("frozenWeek", "The date is in a frozen week."),
    ("gone", "The data is no longer stored."),
    ("grantRefused", "The change grants or revokes rights beyond one's own."),
    ("hasSales", "The day has sales or readings."),
    ("held", "The count is held for a decision."),
    ("internal", "An error on the server."),
    ("inUse", "Other records refer to this one."),
    ("invalid", "Fields are invalid."),
    ("keyReused", "The idempotency key was used for another request."),
    ("lastSuperAdmin", "One active super admin must remain."),
    ("leased", "A lease: another user counts this session."),
    ("locked", "The month is certified and can no longer be changed."),
    ("methodNotAllowed", "The address does not support this method."),
    ("moreThanExpected", "More is taken from a store than is expected there; a reason is needed."),
    ("muchMore", "A quantity far exceeds the requested one; an override and a reason are needed."),
    ("mustChangePassword", "The user must change the password first."),
    ("name", "The name is taken."),
    ("noCommissary", "There is no commissary to post stock at."),
    ("noEmailColumn", "The file has no column of email addresses."),
    ("noExternalId", "The file has no column of external ids."),
    ("noLines", "The file has no sales lines."),
    ("noPicture", "The reading has no picture."),
    ("noSales", "There are no sales to reconcile with."),
    ("notATable", "The file is not a table."),
    ("notBegun", "The run has not started."),
    ("notComplete", "Readings of the day are missing or not verified."),
    ("notEnough", "The stock on hand is too low."),
    ("notFound", "No such record, file or address."),
    ("nothingKnown", "No external id of the file was exported from here."),
    ("nothingToExport", "Nothing is ready to export."),
    ("nothingToRead", "The file has nothing to import."),
    ("nothingToSend", "Nothing is left to send."),
    ("nothingToWrite", "No row would create or change a record."),
    ("notInstalled", "A program this needs is not installed on the server."),
    ("notOnItsWay", "The delivery is not in transit."),
    ("notPlannable", "The item cannot be planned."),
    ("notReady", "The report is not ready."),
    ("notRecalled", "The lot is not recalled."),
    ("notYours", "The report belongs to another user."),
    ("oldPlan", "The plan is too old to order from."),
    ("open", "The week is open already."),
    ("outOfScope", "The user may not access the store."),
    ("past", "Figures of past days change; confirm it, with a reason."),
    ("paused", "The feed is paused."),
    ("pending", "Differences are not settled."),
    ("posted", "The document is posted already."),
    ("protectedField", "Only the server sets this field."),
    ("pushed", "The feed is pushed, so it cannot be run."),
    ("reauthenticate", "The user must confirm their identity again."),
    ("recalled", "The lot is recalled."),
    ("recalledArrives", "Goods of a recalled lot are taken in; a reason is needed."),
    ("reconciled", "The delivery is reconciled, so its receipts cannot be reversed."),
    ("reference", "A referenced record does not exist."),
    ("refused", "The calculation refused its input."),
    ("reversal", "The document is itself a reversal."),
    ("reversed", "The document is reversed already."),
    ("running", "A run is in progress."),
    ("salesDiffer", "Imported sales differ from the reading; confirm that it was seen."),
    ("service", "The product is a service and has no stock."),
    ("slipTaken", "The deposit slip is used by another deposit."),
    ("stale", "The record changed since it was read."),
    ("state", "Not possible in this state."),
    ("takenIn", "Nothing of the delivery is left to receive."),
    ("takenInMeanwhile", "Part of the delivery was received meanwhile."),
    ("tokenTooOld", "The token is too old; refresh it."),
    ("tooDeep", "The body is nested too deeply."),
    ("tooLarge", "The body or a figure is too large."),
    ("tooMany", "Too many requests or records."),
    ("tooManyCells", "The table would have too many cells."),
    ("tooManyPages", "The document has too many pages."),
    ("tooManyPixels", "The picture has too many pixels."),
    ("tooManyRows", "The file has too many rows."),
    ("tooManyStreams", "The user has too many event streams open."),
    ("tooMuch", "The quantities are too large to compute."),
    ("tooMuchMemory", "The picture would need too much memory."),
    ("tooSlow", "Processing took too long."),
    ("totpOn", "A second factor is set up already."),
    ("totpRequired", "The user must set up a second factor first."),
    ("unauthenticated", "The caller is not signed in."),
    ("unknownItems", "Items of the file are not mapped."),
    ("unknownKey", "The feed's key is unknown or revoked."),
    ("unknownStores", "Stores of the file are not mapped."),
    ("unreadable", "The file cannot be read."),
    ("unsigned", "The push has no valid signature."),
    ("unsupported", "The file type or encoding is not supported."),
    ("voided", "The declaration or deposit was voided."),
    ("whenNeeded", "A count was made since the goods were due: enter when they came or left."),
    ("wrongStep", "The step or change is not possible in this state."),
];

/// Whether a code is one of [`CODES`].
#[must_use]
pub fn is_known(code: &str) -> bool {
    CODES.iter().any(|(known, _)| *known == code)
}

/// The schema of codes in the contract.
#[derive(Debug)]
pub struct ProblemCode;

impl PartialSchema for ProblemCode {
    fn schema() -> RefOr<Schema> {
        let said: Vec<String> = CODES.iter().map(|(code, says)| format!("- `{code}`: {says}")).collect();
        let description = format!("A stable identifier for programs.\n\n{}", said.join("\n"));
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
