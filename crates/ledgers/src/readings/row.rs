//! A stored reading, and its figures.

use larder_db::Json;
use larder_domain::zreading::Figures;
use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::Seen;
use crate::verified_readings::Tender;
use larder_platform::audit::Editor;
use larder_platform::http::scope::OfStore;

/// A step taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ReadingStepTaken)]
pub struct Taken {
    pub step: String,
    pub at: Timestamp,
    pub by: Editor,
    pub reason: Option<String>,
    /// On verifying: by how much the imported sales differed, which the user was told; negative if they were less.
    #[serde(default)]
    pub sales: Option<Money>,
}

larder_db::table_row! {
    /// A Z-reading. Amounts are pesos; discounts, voids and returns are positive. A figure is null until it
    /// was read.
    #[derive(Debug, Clone, larder_db::FromRow, Serialize, ToSchema)]
    #[serde(rename_all = "camelCase")]
    #[schema(as = ZReadingFigures)]
    Reading in "z_readings" {
        id: String,
        store_id: String,
        /// Empty while the till is unknown.
        terminal_id: String,
        state: String,
        source: String,
        business_date: BusinessDay,
        /// The first day it covers, if it covers days before its own.
        covers_from: Option<BusinessDay>,
        began_at: Option<Timestamp>,
        ended_at: Option<Timestamp>,
        min: Option<String>,
        serial: Option<String>,
        ptu: Option<String>,
        tin: Option<String>,
        first_si: Option<String>,
        last_si: Option<String>,
        first_void: Option<String>,
        last_void: Option<String>,
        first_return: Option<String>,
        last_return: Option<String>,
        transactions: Option<i64>,
        z_counter: Option<i64>,
        reset_counter: i64,
        previous_total: Option<Money>,
        present_total: Option<Money>,
        gross: Option<Money>,
        net: Option<Money>,
        vatable: Option<Money>,
        vat: Option<Money>,
        exempt: Option<Money>,
        zero_rated: Option<Money>,
        senior: Option<Money>,
        pwd: Option<Money>,
        naac: Option<Money>,
        solo_parent: Option<Money>,
        valor: Option<Money>,
        other_discount: Option<Money>,
        voids: Option<Money>,
        returns: Option<Money>,
        vat_adjustment: Option<Money>,
        service_charge: Option<Money>,
        opening_fund: Option<Money>,
        withdrawals: Option<Money>,
        payments_received: Option<Money>,
        cash_in_drawer: Option<Money>,
        short_over: Option<Money>,
        #[schema(value_type = Vec<Tender>)]
        tenders: Json<Vec<Tender>>,
        /// Id of the picture; none without one.
        picture: Option<String>,
        /// What was read from the picture; omitted in lists.
        #[schema(value_type = Option<Seen>)]
        read: Option<Json<Seen>>,
        /// Why it is disputed, or was verified despite a failed check.
        reason: Option<String>,
        notes: Option<String>,
        #[schema(value_type = Vec<Taken>)]
        steps: Json<Vec<Taken>>,
        #[serde(skip)]
        search_key: String,
        /// Number of its own sums that fail; null for a row that was never written since they are counted.
        #[serde(skip)]
        sums_failing: Option<i64>,
        /// Number of uncertain fields of its picture, at least 1 for an unreadable one; null as above.
        #[serde(skip)]
        fields_doubtful: Option<i64>,
        revision: i64,
        created_at: Timestamp,
        #[schema(value_type = Editor)]
        created_by: Json<Editor>,
        updated_at: Timestamp,
        #[schema(value_type = Editor)]
        updated_by: Json<Editor>,
    }
}

impl OfStore for Reading {
    fn store_id(&self) -> Option<&str> {
        Some(&self.store_id)
    }
}

impl Reading {
    /// The input of equations.
    #[must_use]
    pub fn figures(&self) -> Figures {
        Figures {
            first_si: self.first_si.clone(),
            last_si: self.last_si.clone(),
            transactions: self.transactions,
            z_counter: self.z_counter,
            reset_counter: self.reset_counter,
            previous_total: self.previous_total,
            present_total: self.present_total,
            gross: self.gross,
            net: self.net,
            vatable: self.vatable,
            vat: self.vat,
            exempt: self.exempt,
            zero_rated: self.zero_rated,
            senior: self.senior,
            pwd: self.pwd,
            naac: self.naac,
            solo_parent: self.solo_parent,
            valor: self.valor,
            other_discount: self.other_discount,
            voids: self.voids,
            returns: self.returns,
            vat_adjustment: self.vat_adjustment,
            service_charge: self.service_charge,
            tenders: self.tenders.iter().map(|tender| tender.amount).collect(),
        }
    }

    /// Audit snapshot: what was read from the picture is not a change of the record.
    #[must_use]
    pub fn audit_snapshot(&self) -> Value {
        let mut snapshot = serde_json::to_value(self).unwrap_or_default();
        if let Some(fields) = snapshot.as_object_mut() {
            for name in ["read", "steps", "createdAt", "createdBy"] {
                fields.remove(name);
            }
        }
        snapshot
    }
}
