//! Manual entry of a reading, validated field by field.

use larder_db::Json;
use larder_domain::zreading::{LAST_TOTAL, MAX_COVERED};
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::Reading;
use crate::verified_readings::Tender;
use larder_platform::http::text::{has_unseen, has_unseen_in_lines};
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// Kinds of tenders, as in the list of tender types.
pub const TENDER_KINDS: [&str; 5] = ["cash", "card", "eWallet", "voucher", "onAccount"];

/// The longest note, in characters.
const MAX_NOTES: usize = 2_000;
const MAX_TENDERS: usize = 30;

/// A manually entered reading. Amounts are pesos; discounts, voids and returns are positive.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = ZReadingDraft)]
pub struct Draft {
    pub store_id: String,
    pub terminal_id: String,
    #[schema(value_type = Option<BusinessDay>)]
    pub business_date: Option<BusinessDay>,
    /// The first day it covers, at most 7 days before its own; none if it covers its own day only.
    #[schema(value_type = Option<BusinessDay>)]
    pub covers_from: Option<BusinessDay>,
    pub began_at: Option<Timestamp>,
    pub ended_at: Option<Timestamp>,
    pub min: Option<String>,
    pub serial: Option<String>,
    pub ptu: Option<String>,
    pub tin: Option<String>,
    pub first_si: Option<String>,
    pub last_si: Option<String>,
    pub first_void: Option<String>,
    pub last_void: Option<String>,
    pub first_return: Option<String>,
    pub last_return: Option<String>,
    pub transactions: Option<i64>,
    pub z_counter: Option<i64>,
    /// Number of resets of the till; 0 by default.
    pub reset_counter: Option<i64>,
    pub previous_total: Option<Money>,
    pub present_total: Option<Money>,
    pub gross: Option<Money>,
    pub net: Option<Money>,
    pub vatable: Option<Money>,
    pub vat: Option<Money>,
    pub exempt: Option<Money>,
    pub zero_rated: Option<Money>,
    pub senior: Option<Money>,
    pub pwd: Option<Money>,
    pub naac: Option<Money>,
    pub solo_parent: Option<Money>,
    pub valor: Option<Money>,
    pub other_discount: Option<Money>,
    pub voids: Option<Money>,
    pub returns: Option<Money>,
    pub vat_adjustment: Option<Money>,
    pub service_charge: Option<Money>,
    pub opening_fund: Option<Money>,
    pub withdrawals: Option<Money>,
    pub payments_received: Option<Money>,
    pub cash_in_drawer: Option<Money>,
    pub short_over: Option<Money>,
    pub tenders: Vec<Tender>,
    pub notes: Option<String>,
}

macro_rules! each_figure {
    ($do:ident) => {
        $do!(
            began_at,
            ended_at,
            min,
            serial,
            ptu,
            tin,
            first_si,
            last_si,
            first_void,
            last_void,
            first_return,
            last_return,
            transactions,
            z_counter,
            previous_total,
            present_total,
            gross,
            net,
            vatable,
            vat,
            exempt,
            zero_rated,
            senior,
            pwd,
            naac,
            solo_parent,
            valor,
            other_discount,
            voids,
            returns,
            vat_adjustment,
            service_charge,
            opening_fund,
            withdrawals,
            payments_received,
            cash_in_drawer,
            short_over,
            notes
        )
    };
}

impl Draft {
    /// A draft from a JSON object.
    ///
    /// # Errors
    /// 422 naming a field that is invalid or unknown.
    pub fn of(body: Map<String, Value>) -> ApiResult<Self> {
        let known = serde_json::to_value(Self::default()).unwrap_or_default();
        let mut wrong = Vec::new();
        for (field, value) in &body {
            let one = Map::from_iter([(field.clone(), value.clone())]);
            if known.get(field).is_none() {
                wrong.push(FieldError::new(field, "A Z-reading has no such field."));
            } else if let Err(error) = serde_json::from_value::<Self>(Value::Object(one)) {
                wrong.push(FieldError::new(field, plain(&error.to_string())));
            }
        }
        if !wrong.is_empty() {
            return Err(ApiError::invalid(wrong));
        }
        serde_json::from_value(Value::Object(body))
            .map_err(|error| ApiError::unprocessable("invalid", error.to_string()))
    }

    /// A draft from a reading, for partial changes.
    #[must_use]
    pub fn from_reading(reading: &Reading) -> Self {
        let mut draft = Self {
            store_id: reading.store_id.clone(),
            terminal_id: reading.terminal_id.clone(),
            business_date: Some(reading.business_date),
            covers_from: reading.covers_from,
            reset_counter: Some(reading.reset_counter),
            tenders: reading.tenders.0.clone(),
            ..Self::default()
        };
        macro_rules! take { ($($field:ident),+) => { $(draft.$field.clone_from(&reading.$field);)+ } }
        each_figure!(take);
        draft
    }

    /// The draft with some fields replaced.
    ///
    /// # Errors
    /// As [`Draft::of`].
    pub fn changed(&self, by: Map<String, Value>) -> ApiResult<Self> {
        let Value::Object(mut body) = serde_json::to_value(self).map_err(ApiError::internal)? else {
            return Err(ApiError::internal(anyhow::anyhow!("a draft is an object")));
        };
        body.extend(by);
        Self::of(body)
    }

    /// Writes the draft into a reading.
    pub fn put(&self, reading: &mut Reading) {
        reading.store_id = self.store_id.trim().to_owned();
        reading.terminal_id = self.terminal_id.trim().to_owned();
        if let Some(day) = self.business_date {
            reading.business_date = day;
        }
        reading.covers_from = self.covers_from.filter(|from| *from != reading.business_date);
        reading.reset_counter = self.reset_counter.unwrap_or(0);
        reading.tenders = Json(self.tenders.clone());
        macro_rules! put { ($($field:ident),+) => { $(reading.$field.clone_from(&self.$field);)+ } }
        each_figure!(put);
        for text in [
            &mut reading.min,
            &mut reading.serial,
            &mut reading.ptu,
            &mut reading.tin,
            &mut reading.first_si,
            &mut reading.last_si,
            &mut reading.first_void,
            &mut reading.last_void,
            &mut reading.first_return,
            &mut reading.last_return,
            &mut reading.notes,
        ] {
            *text = text.take().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        }
    }

    /// Validates it. `whole`: entered by hand, so till and day are required.
    ///
    /// # Errors
    /// All invalid fields at once.
    pub fn check(&self, today: BusinessDay, whole: bool) -> ApiResult<()> {
        let mut wrong = Vec::new();
        let mut say = |field: &str, words: &str| wrong.push(FieldError::new(field, words));
        if self.store_id.trim().is_empty() {
            say("storeId", "Choose a store.");
        }
        let till = self.terminal_id.trim();
        if whole && till.is_empty() {
            say("terminalId", "Choose the till.");
        } else if till.chars().count() > 50 || has_unseen(till) {
            say("terminalId", "Use at most 50 visible characters.");
        }
        match self.business_date {
            None if whole => say("businessDate", "Enter the date of the reading."),
            Some(day) if day > today => say("businessDate", "Choose today or a day before it."),
            Some(day) if day.date().year() < 2000 => say("businessDate", "Enter a date from 2000 on."),
            _ => {}
        }
        if let (Some(from), Some(day)) = (self.covers_from, self.business_date)
            && !(day.plus(-MAX_COVERED)..=day).contains(&from)
        {
            say("coversFrom", "Choose the day of the reading, or one of the 7 days before it.");
        }
        let texts = [
            ("min", &self.min),
            ("serial", &self.serial),
            ("ptu", &self.ptu),
            ("tin", &self.tin),
            ("firstSi", &self.first_si),
            ("lastSi", &self.last_si),
            ("firstVoid", &self.first_void),
            ("lastVoid", &self.last_void),
            ("firstReturn", &self.first_return),
            ("lastReturn", &self.last_return),
        ];
        for (field, text) in texts {
            if text.as_deref().is_some_and(|text| text.chars().count() > 40 || has_unseen(text)) {
                say(field, "Use at most 40 visible characters.");
            }
        }
        if self
            .notes
            .as_deref()
            .is_some_and(|text| text.chars().count() > MAX_NOTES || has_unseen_in_lines(text))
        {
            say("notes", "Use at most 2,000 characters, all of them visible.");
        }
        self.check_figures(&mut say);
        if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
    }

    fn check_figures(&self, say: &mut impl FnMut(&str, &str)) {
        let counts = [
            ("transactions", self.transactions),
            ("zCounter", self.z_counter),
            ("resetCounter", self.reset_counter),
        ];
        for (field, count) in counts {
            if count.is_some_and(|count| !(0..=999_999_999).contains(&count)) {
                say(field, "Enter a number from 0 to 999,999,999.");
            }
        }
        // Deductions and charges are not negative; sales, tax, adjustment and cash over may be.
        let positive = [
            ("previousTotal", self.previous_total),
            ("presentTotal", self.present_total),
            ("senior", self.senior),
            ("pwd", self.pwd),
            ("naac", self.naac),
            ("soloParent", self.solo_parent),
            ("valor", self.valor),
            ("otherDiscount", self.other_discount),
            ("voids", self.voids),
            ("returns", self.returns),
            ("serviceCharge", self.service_charge),
            ("openingFund", self.opening_fund),
            ("withdrawals", self.withdrawals),
            ("paymentsReceived", self.payments_received),
            ("cashInDrawer", self.cash_in_drawer),
        ];
        for (field, amount) in positive {
            if amount.is_some_and(|amount| amount.0 < 0) {
                say(field, "Enter it without a minus.");
            }
        }
        let any = [
            ("gross", self.gross),
            ("net", self.net),
            ("vatable", self.vatable),
            ("vat", self.vat),
            ("exempt", self.exempt),
            ("zeroRated", self.zero_rated),
            ("vatAdjustment", self.vat_adjustment),
            ("shortOver", self.short_over),
        ];
        for (field, amount) in positive.into_iter().chain(any) {
            if amount.is_some_and(|amount| amount.0.unsigned_abs() > LAST_TOTAL.0.unsigned_abs()) {
                say(field, "An amount is at most 9,999,999,999.99.");
            }
        }
        if self.tenders.len() > MAX_TENDERS {
            say("tenders", "List at most 30 tenders.");
        }
        for (at, tender) in self.tenders.iter().enumerate() {
            if !TENDER_KINDS.contains(&tender.kind.as_str()) {
                say(&format!("tenders.{at}.kind"), "Choose cash, card, eWallet, voucher or onAccount.");
            }
            if tender.label.chars().count() > 60 || has_unseen(&tender.label) {
                say(&format!("tenders.{at}.label"), "Use at most 60 visible characters.");
            }
            if tender.amount.0.unsigned_abs() > LAST_TOTAL.0.unsigned_abs() {
                say(&format!("tenders.{at}.amount"), "An amount is at most 9,999,999,999.99.");
            }
        }
    }
}

/// A parser's message without its position.
fn plain(words: &str) -> String {
    let words = words.split(" at line ").next().unwrap_or(words);
    format!("This cannot be taken: {}.", words.trim_end_matches('.'))
}
