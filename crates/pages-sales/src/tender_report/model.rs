//! Declarations, deposits and settlements: requests and responses.

use larder_domain::tender::{CashError, KINDS, Kind, MOST_PIECES, cash};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::backdating::PostingDate;
use larder_ledgers::cash::declarations;
use larder_ledgers::cash::declarations::{Declaration, Pieces, Tender};
use larder_ledgers::cash::deposits;
use larder_ledgers::cash::deposits::{DayPart, Deposit};
use larder_ledgers::cash::settlements::{Settled, Settlement, Unknown};
use larder_ledgers::completeness::DayTills;
use larder_platform::http::question::date;
use larder_platform::http::text::has_unseen_in_lines;
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// Maximum length of a note, in characters.
const MOST_NOTE: usize = 500;
/// Maximum amount of a day or a deposit: 100 million pesos.
const MOST: Money = Money(10_000_000_000);
/// Maximum age of the day of a declaration or deposit, in days.
const MOST_BACK: i32 = 1_100;
/// Maximum number of days in a deposit.
const MOST_PARTS: usize = 62;

/// A cash declaration to save.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CashDeclarationDraft {
    pub store_id: String,
    /// `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub business_date: String,
    /// The till; empty for the whole store.
    pub terminal_id: String,
    /// Cash in the drawer.
    pub pieces: Vec<Pieces>,
    /// Other tenders.
    pub tenders: Vec<Tender>,
    pub notes: String,
    /// Ids of uploaded photos.
    pub photos: Vec<String>,
    /// When it was counted, by the device's clock; now if omitted.
    pub counted_at: Option<Timestamp>,
    /// The revision it changes.
    pub revision: Option<i64>,
    /// Allows a day beyond the backdating limit. Needs the permission and a reason.
    #[serde(rename = "override")]
    pub overridden: bool,
    /// Reason for backdating.
    pub reason: String,
}

/// A bank deposit to save.
#[derive(Debug, Clone, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct CashDepositDraft {
    pub store_id: String,
    /// `YYYY-MM-DD`.
    #[schema(format = Date)]
    pub deposited_on: String,
    pub bank: String,
    /// Number of the slip.
    pub reference: String,
    pub notes: String,
    /// Ids of uploaded photos.
    pub photos: Vec<String>,
    /// The cash by day; adds up to the deposit.
    pub days: Vec<DayPart>,
    /// The revision it changes.
    pub revision: Option<i64>,
    /// Confirms that it differs from another payment of the same amount, bank and day.
    pub accept_duplicate: bool,
    /// Allows a day beyond the backdating limit. Needs the permission and a reason.
    #[serde(rename = "override")]
    pub overridden: bool,
    /// Reason for backdating.
    pub reason: String,
}

/// Reason for a void.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct VoidCash {
    pub reason: String,
    pub revision: i64,
}

/// Collects field errors.
#[derive(Default)]
struct Faults(Vec<FieldError>);

impl Faults {
    fn say(&mut self, field: impl Into<String>, words: impl Into<String>) {
        self.0.push(FieldError::new(field, words));
    }

    fn day(&mut self, field: &str, text: &str, today: BusinessDay) -> BusinessDay {
        match date(field, Some(text)) {
            Ok(Some(day)) if day > today => self.say(field, "Choose today or an earlier day."),
            Ok(Some(day)) if day < today.plus(-MOST_BACK) => self.say(field, "This day is too far back."),
            Ok(Some(day)) => return day,
            Ok(None) => self.say(field, "Choose a day."),
            Err(error) => self.0.push(error),
        }
        today
    }

    fn text(&mut self, field: &str, text: &str, most: usize) -> String {
        if has_unseen_in_lines(text) || text.chars().count() > most {
            self.say(field, format!("Enter at most {most} visible characters."));
        }
        text.trim().to_owned()
    }

    fn amount(&mut self, field: String, amount: Money) {
        if amount < Money(0) || amount > MOST {
            self.say(field, "Enter an amount from 0 to 100,000,000.");
        }
    }

    fn done<T>(self, value: T) -> ApiResult<T> {
        if self.0.is_empty() { Ok(value) } else { Err(ApiError::invalid(self.0)) }
    }
}

impl CashDeclarationDraft {
    /// Input of the backdating check for a day.
    pub(super) fn dated(&self, day: BusinessDay) -> PostingDate<'_> {
        let reason = Some(self.reason.trim());
        PostingDate { day, field: "businessDate", page: super::PAGE, overridden: self.overridden, reason }
    }

    /// Validates it for the ledger.
    ///
    /// # Errors
    /// 422 with all invalid fields.
    pub fn read(&self, at: Timestamp) -> ApiResult<declarations::Draft> {
        let mut faults = Faults::default();
        let business_date = faults.day("businessDate", &self.business_date, BusinessDay::of(at));
        if self.store_id.is_empty() {
            faults.say("storeId", "Choose a store.");
        }
        let counted: Vec<(Money, i64)> =
            self.pieces.iter().map(|one| (one.denomination, one.pieces)).collect();
        let place = |piece: Money| self.pieces.iter().position(|one| one.denomination == piece).unwrap_or(0);
        let sum = cash(&counted).unwrap_or_else(|error| {
            let (at, words) = match error {
                CashError::NoSuchPiece(piece) => (place(piece), format!("There is no ₱{piece}.")),
                CashError::Twice(piece) => (place(piece), format!("₱{piece} is there twice.")),
                CashError::Pieces(piece) => (place(piece), format!("Enter 0 to {MOST_PIECES} pieces.")),
            };
            faults.say(format!("pieces.{at}.pieces"), words);
            Money(0)
        });
        faults.amount("pieces".to_owned(), sum);
        for (at, tender) in self.tenders.iter().enumerate() {
            let known = Kind::parse(&tender.kind).filter(|kind| *kind != Kind::Cash);
            let twice = self.tenders[..at].iter().any(|before| before.kind == tender.kind);
            if known.is_none() || twice {
                let names: Vec<&str> = KINDS[1..].iter().map(|kind| kind.as_str()).collect();
                faults.say(format!("tenders.{at}.kind"), format!("Choose {}, each once.", names.join(", ")));
            }
            faults.amount(format!("tenders.{at}.amount"), tender.amount);
        }
        if self.pieces.is_empty() && self.tenders.is_empty() {
            faults.say("pieces", "Count the drawer, or enter 0 pieces.");
        }
        let draft = declarations::Draft {
            store_id: self.store_id.clone(),
            business_date,
            terminal_id: faults.text("terminalId", &self.terminal_id, 50),
            pieces: self.pieces.clone(),
            cash: sum,
            tenders: self.tenders.clone(),
            notes: faults.text("notes", &self.notes, MOST_NOTE),
            photos: self.photos.clone(),
            // A device's clock may be wrong, but not ahead of the server's.
            counted_at: self.counted_at.map_or(at, |counted| counted.min(at)),
        };
        faults.text("reason", &self.reason, MOST_NOTE);
        faults.done(draft)
    }
}

impl CashDepositDraft {
    /// Input of the backdating check for a day.
    pub(super) fn dated(&self, day: BusinessDay) -> PostingDate<'_> {
        let reason = Some(self.reason.trim());
        PostingDate { day, field: "depositedOn", page: super::PAGE, overridden: self.overridden, reason }
    }

    /// Validates it for the ledger.
    ///
    /// # Errors
    /// 422 with all invalid fields.
    pub fn read(&self, at: Timestamp) -> ApiResult<deposits::Draft> {
        let mut faults = Faults::default();
        let today = BusinessDay::of(at);
        let deposited_on = faults.day("depositedOn", &self.deposited_on, today);
        if self.store_id.is_empty() {
            faults.say("storeId", "Choose a store.");
        }
        let mut amount = 0_i64;
        for (at, part) in self.days.iter().enumerate() {
            if part.amount <= Money(0) || part.amount > MOST {
                faults.say(format!("days.{at}.amount"), "Enter an amount above 0.");
            } else {
                amount += part.amount.0;
            }
            if part.business_date < today.plus(-MOST_BACK) {
                faults.say(format!("days.{at}.businessDate"), "This day is too far back.");
            }
            if part.business_date > deposited_on {
                let words = "This cash was taken after it was paid in. Check both days.";
                faults.say(format!("days.{at}.businessDate"), words);
            }
            if self.days[..at].iter().any(|before| before.business_date == part.business_date) {
                faults.say(format!("days.{at}.businessDate"), "This day is there already.");
            }
        }
        if self.days.is_empty() || self.days.len() > MOST_PARTS {
            faults.say("days", format!("Say of which days the cash is: 1 to {MOST_PARTS}."));
        }
        let bank = faults.text("bank", &self.bank, 100);
        if bank.is_empty() {
            faults.say("bank", "Say which bank.");
        }
        let draft = deposits::Draft {
            store_id: self.store_id.clone(),
            deposited_on,
            amount: Money(amount),
            bank,
            reference: faults.text("reference", &self.reference, 100),
            photos: self.photos.clone(),
            notes: faults.text("notes", &self.notes, MOST_NOTE),
            days: self.days.clone(),
            another: self.accept_duplicate,
        };
        faults.text("reason", &self.reason, MOST_NOTE);
        faults.done(draft)
    }
}

impl VoidCash {
    /// The required reason.
    ///
    /// # Errors
    /// 422 at `reason`.
    pub fn read(&self) -> ApiResult<String> {
        let mut faults = Faults::default();
        let reason = faults.text("reason", &self.reason, MOST_NOTE);
        if reason.is_empty() {
            faults.say("reason", "Say why.");
        }
        faults.done(reason)
    }
}

/// Query parameters: the figure.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct SourcesQuery {
    pub store_id: String,
    /// `YYYY-MM-DD`.
    #[param(format = Date)]
    pub date: String,
    /// `cash`, `card`, `eWallet`, `voucher` or `onAccount`.
    pub kind: String,
    /// Maximum number of settled lines, 1 to 10,000; default 500.
    pub limit: Option<i64>,
}

/// Imported sales.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PosSource {
    /// For example `file` or `api`.
    pub source: String,
    /// The till's own label.
    pub label: String,
    pub amount: Money,
    /// Number of payments.
    pub payments: i64,
    /// Whether it is included in the report; false if another source reports the same sales.
    pub counted: bool,
}

/// A verified reading.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingSource {
    pub id: String,
    pub terminal_id: String,
    pub z_counter: i64,
    pub label: String,
    pub amount: Money,
}

/// The sources of a figure.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderSources {
    pub pos: Vec<PosSource>,
    pub readings: Vec<ReadingSource>,
    /// Which readings the day must have, and what lacks.
    pub tills: DayTills,
    pub declarations: Vec<Declaration>,
    pub deposits: Vec<Deposit>,
    /// The first of them, up to `limit`.
    pub settlements: Vec<Settled>,
    pub settlement_total: i64,
}

/// Query parameters: paging.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FilesQuery {
    /// Page size, 1 to 10,000; default 20.
    pub limit: Option<i64>,
    /// Number of files to skip.
    pub offset: Option<i64>,
}

/// Acquirers' files and unknown terminals.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettlementFiles {
    /// A page of files, newest first.
    pub files: Vec<Settlement>,
    pub total: i64,
    /// The first 200, largest amount first.
    pub unknown: Vec<Unknown>,
    pub unknown_total: i64,
}

/// Assignment of a terminal to a store.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssignTerminal {
    /// As in the file.
    pub terminal: String,
    pub store_id: String,
}
