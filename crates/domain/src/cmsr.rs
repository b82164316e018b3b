//! The certified monthly sales report: what a tenant certifies to a lessor, and the resulting percentage rent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::decimal::div_round;
use crate::till_day::TillDay;
use crate::{BusinessDay, Money, Qty};

/// A figure of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CmsrFigure))]
#[serde(rename_all = "camelCase")]
pub enum Figure {
    /// Gross as printed by the tills.
    ZGross,
    /// Voids, returns and VAT that was not collected.
    NotSold,
    /// Tills' gross less `NotSold`.
    Gross,
    /// VATable sales without the tax.
    Vatable,
    /// VAT-exempt sales, net of their discounts.
    Exempt,
    ZeroRated,
    Vat,
    /// Promotions named on receipts.
    ApprovedPromo,
    /// Discounts not explained by a receipt.
    UnapprovedPromo,
    Employee,
    Senior,
    Pwd,
    Vip,
    /// National athletes, solo parents, Medal of Valor.
    OtherStatutory,
    LocalTax,
    /// Service charge paid out to staff.
    ServiceDistributed,
    /// Service charge the store keeps.
    ServiceRetained,
    /// Gross less every discount.
    Net,
}

/// All figures, in report order.
pub const FIGURES: [Figure; 18] = [
    Figure::ZGross,
    Figure::NotSold,
    Figure::Gross,
    Figure::Vatable,
    Figure::Exempt,
    Figure::ZeroRated,
    Figure::Vat,
    Figure::ApprovedPromo,
    Figure::UnapprovedPromo,
    Figure::Employee,
    Figure::Senior,
    Figure::Pwd,
    Figure::Vip,
    Figure::OtherStatutory,
    Figure::LocalTax,
    Figure::ServiceDistributed,
    Figure::ServiceRetained,
    Figure::Net,
];

/// The discounts.
pub const DISCOUNTS: [Figure; 7] = [
    Figure::ApprovedPromo,
    Figure::UnapprovedPromo,
    Figure::Employee,
    Figure::Senior,
    Figure::Pwd,
    Figure::Vip,
    Figure::OtherStatutory,
];

impl Figure {
    /// Its wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ZGross => "zGross",
            Self::NotSold => "notSold",
            Self::Gross => "gross",
            Self::Vatable => "vatable",
            Self::Exempt => "exempt",
            Self::ZeroRated => "zeroRated",
            Self::Vat => "vat",
            Self::ApprovedPromo => "approvedPromo",
            Self::UnapprovedPromo => "unapprovedPromo",
            Self::Employee => "employee",
            Self::Senior => "senior",
            Self::Pwd => "pwd",
            Self::Vip => "vip",
            Self::OtherStatutory => "otherStatutory",
            Self::LocalTax => "localTax",
            Self::ServiceDistributed => "serviceDistributed",
            Self::ServiceRetained => "serviceRetained",
            Self::Net => "net",
        }
    }

    /// Its display name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::ZGross => "Gross by Z-reading",
            Self::NotSold => "Voids, returns, VAT adjustment",
            Self::Gross => "Gross sales",
            Self::Vatable => "VATable sales, net",
            Self::Exempt => "VAT-exempt sales, net",
            Self::ZeroRated => "Zero-rated sales",
            Self::Vat => "VAT",
            Self::ApprovedPromo => "Approved promos",
            Self::UnapprovedPromo => "Unapproved promos",
            Self::Employee => "Employee discount",
            Self::Senior => "Senior citizen discount",
            Self::Pwd => "PWD discount",
            Self::Vip => "VIP discount",
            Self::OtherStatutory => "Other discounts by law",
            Self::LocalTax => "Local tax",
            Self::ServiceDistributed => "Service charge, distributed",
            Self::ServiceRetained => "Service charge, retained",
            Self::Net => "Net sales",
        }
    }

    /// The figure of a wire name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        FIGURES.into_iter().find(|figure| figure.as_str() == name)
    }

    /// Whether users may correct it: printed figures and derived ones cannot be corrected.
    #[must_use]
    pub const fn may_be_corrected(self) -> bool {
        !matches!(self, Self::ZGross | Self::NotSold | Self::Net)
    }
}

/// The figures of a day, or the sum of several days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures([Money; FIGURES.len()]);

impl Figures {
    /// The figures of a day from its readings. All service charge counts as distributed (RA 11360).
    #[must_use]
    pub fn of(day: &TillDay) -> Self {
        let mut figures = Self::default();
        for (figure, amount) in [
            (Figure::ZGross, day.z_gross),
            (Figure::NotSold, day.not_sold),
            (Figure::Gross, day.gross()),
            (Figure::Vatable, day.vatable),
            (Figure::Exempt, day.exempt),
            (Figure::ZeroRated, day.zero_rated),
            (Figure::Vat, day.vat),
            (Figure::ApprovedPromo, day.promo),
            (Figure::UnapprovedPromo, day.unexplained),
            (Figure::Employee, day.employee),
            (Figure::Senior, day.senior),
            (Figure::Pwd, day.pwd),
            (Figure::Vip, day.vip),
            (Figure::OtherStatutory, day.other_statutory),
            (Figure::LocalTax, day.local_tax),
            (Figure::ServiceDistributed, day.service_charge),
        ] {
            figures.0[figure as usize] = amount;
        }
        figures.settle()
    }

    /// The amount of a figure.
    #[must_use]
    pub fn get(&self, figure: Figure) -> Money {
        self.0[figure as usize]
    }

    /// Applies corrections and recomputes the derived figures.
    #[must_use]
    pub fn corrected(mut self, corrections: &BTreeMap<Figure, Money>) -> Self {
        for (figure, amount) in corrections {
            if figure.may_be_corrected() {
                self.0[*figure as usize] = *amount;
            }
        }
        self.settle()
    }

    /// The sum of several days.
    #[must_use]
    pub fn sum<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        for one in all {
            for (sum, more) in sum.0.iter_mut().zip(one.0) {
                sum.0 = sum.0.saturating_add(more.0);
            }
        }
        sum
    }

    /// The sum of all discounts.
    #[must_use]
    pub fn discounts(&self) -> Money {
        Money(DISCOUNTS.iter().map(|figure| self.get(*figure).0).sum())
    }

    fn settle(mut self) -> Self {
        self.0[Figure::Net as usize] = Money(self.get(Figure::Gross).0 - self.discounts().0);
        self
    }
}

impl Serialize for Figures {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(FIGURES.iter().map(|figure| (figure.as_str(), self.get(*figure))))
    }
}

impl<'de> Deserialize<'de> for Figures {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let map = BTreeMap::<String, Money>::deserialize(d)?;
        let mut figures = Self::default();
        for (name, amount) in map {
            if let Some(figure) = Figure::parse(&name) {
                figures.0[figure as usize] = amount;
            }
        }
        Ok(figures)
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Figures {
    fn name() -> std::borrow::Cow<'static, str> {
        "CmsrFigures".into()
    }
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Figures {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        let mut object = utoipa::openapi::ObjectBuilder::new();
        for figure in FIGURES {
            object = object.property(figure.as_str(), Money::schema()).required(figure.as_str());
        }
        object.into()
    }
}

/// How percentage rent and fixed rent combine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = RentMode))]
#[serde(rename_all = "camelCase")]
pub enum RentMode {
    /// The greater is due.
    GreaterOf,
    /// Both are due.
    Additive,
}

/// What a lessor adds to net sales before computing rent: an amount, or a percentage of a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LeaseAddBack))]
#[serde(rename_all = "camelCase")]
pub struct AddBack {
    pub name: String,
    /// Amount per month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// Percentage of `of`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub percent: Option<Qty>,
    /// The base figure; net sales without VAT if omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Figure>,
}

/// A higher or lower percentage from a threshold on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LeaseBreakpoint))]
#[serde(rename_all = "camelCase")]
pub struct Breakpoint {
    /// The part of a month's sales above this,
    pub over: Money,
    /// charged at this percentage.
    pub percent: Qty,
}

/// A lease's terms for a month.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = LeaseTerms))]
#[serde(rename_all = "camelCase")]
pub struct Terms {
    /// Fixed rent per month.
    pub fixed: Money,
    /// Percentage of net sales.
    pub percent: Qty,
    pub mode: RentMode,
    /// In ascending order.
    pub breakpoints: Vec<Breakpoint>,
    pub add_backs: Vec<AddBack>,
}

/// An error in the terms: field and message.
pub type Wrong = (String, &'static str);

const HUNDRED: Qty = Qty(100_000_000);

impl Terms {
    /// The errors, field by field.
    #[must_use]
    pub fn faults(&self) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        let percent = |value: Qty| (Qty(0)..=HUNDRED).contains(&value);
        if self.fixed.0 < 0 {
            wrong.push(("fixed".into(), "Enter an amount of 0 or more."));
        }
        if !percent(self.percent) {
            wrong.push(("percent".into(), "Enter 0 to 100%."));
        }
        let mut last = Money(0);
        for (at, one) in self.breakpoints.iter().enumerate() {
            if one.over <= last {
                wrong.push((
                    format!("breakpoints.{at}.over"),
                    "Each breakpoint is higher than the one before.",
                ));
            }
            if !percent(one.percent) {
                wrong.push((format!("breakpoints.{at}.percent"), "Enter 0 to 100%."));
            }
            last = last.max(one.over);
        }
        for (at, one) in self.add_backs.iter().enumerate() {
            if one.name.trim().is_empty() {
                wrong.push((format!("addBacks.{at}.name"), "Say what it is."));
            }
            match (one.amount, one.percent) {
                (Some(amount), None) if amount.0 >= 0 => {}
                (None, Some(part)) if percent(part) => {}
                _ => wrong
                    .push((format!("addBacks.{at}.amount"), "Enter an amount or a percentage of 0 to 100.")),
            }
        }
        wrong
    }

    /// Percentage rent of sales, rounded once to the centavo; never negative.
    #[must_use]
    pub fn percentage_rent(&self, sales: Money) -> Money {
        let sales = i128::from(sales.0.max(0));
        let mut from = 0_i128;
        let mut percent = self.percent;
        let mut sum = 0_i128;
        for next in &self.breakpoints {
            let upto = i128::from(next.over.0).min(sales);
            sum += (upto - from).max(0) * i128::from(percent.0);
            from = from.max(upto);
            percent = next.percent;
        }
        sum += (sales - from).max(0) * i128::from(percent.0);
        // Saturates past nine quadrillion pesos.
        Money(div_round(sum, i128::from(HUNDRED.0)).unwrap_or(i64::MAX))
    }
}

/// An add-back and its amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CmsrAddBack))]
#[serde(rename_all = "camelCase")]
pub struct Added {
    pub name: String,
    pub amount: Money,
}

/// The totals at the foot of a month.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CmsrFoot))]
#[serde(rename_all = "camelCase")]
pub struct Foot {
    pub gross: Money,
    pub discounts: Money,
    pub exempt: Money,
    /// Zero-rated sales: untaxed too.
    pub zero_rated: Money,
    pub local_tax: Money,
    /// Distributed and retained.
    pub service_charge: Money,
    /// Gross less all of the above; includes VAT.
    pub net_sales: Money,
    /// Net sales ÷ 1.12, rounded half away from zero to the centavo, once for the month.
    pub ex_vat: Money,
    pub add_backs: Vec<Added>,
    /// The base of percentage rent.
    pub subject: Money,
    pub percentage_rent: Money,
    pub fixed_rent: Money,
    /// Rent due under the lease.
    pub rent: Money,
    /// Which rent is due, in the greater-of mode.
    pub greater: Option<Greater>,
}

/// Which of the two rents is the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CmsrGreater))]
#[serde(rename_all = "camelCase")]
pub enum Greater {
    Fixed,
    Percentage,
}

impl Foot {
    /// The foot of a month's figures under a lease's terms; without terms there is no rent.
    #[must_use]
    pub fn of(total: &Figures, terms: Option<&Terms>) -> Self {
        let get = |figure| total.get(figure);
        let service_charge = Money(get(Figure::ServiceDistributed).0 + get(Figure::ServiceRetained).0);
        let (gross, discounts) = (get(Figure::Gross), total.discounts());
        let (exempt, zero_rated, local_tax) =
            (get(Figure::Exempt), get(Figure::ZeroRated), get(Figure::LocalTax));
        let off = discounts.0 + exempt.0 + zero_rated.0 + local_tax.0 + service_charge.0;
        let net_sales = Money(gross.0 - off);
        let ex_vat = Money(div_round(i128::from(net_sales.0) * 100, 112).unwrap_or_default());
        let add_backs: Vec<Added> = terms.map_or_else(Vec::new, |terms| {
            let amount = |one: &AddBack| match (one.amount, one.percent) {
                (Some(amount), _) => amount,
                (None, Some(percent)) => {
                    let of = one.of.map_or(ex_vat, get);
                    crate::tender::fee(of, percent).unwrap_or_default()
                }
                (None, None) => Money(0),
            };
            terms.add_backs.iter().map(|one| Added { name: one.name.clone(), amount: amount(one) }).collect()
        });
        let subject = Money(ex_vat.0 + add_backs.iter().map(|one| one.amount.0).sum::<i64>());
        let (fixed_rent, percentage_rent) =
            terms.map_or((Money(0), Money(0)), |terms| (terms.fixed, terms.percentage_rent(subject)));
        let mode = terms.map(|terms| terms.mode);
        let (rent, greater) = match mode {
            Some(RentMode::Additive) | None => (Money(fixed_rent.0 + percentage_rent.0), None),
            Some(RentMode::GreaterOf) if percentage_rent > fixed_rent => {
                (percentage_rent, Some(Greater::Percentage))
            }
            Some(RentMode::GreaterOf) => (fixed_rent, Some(Greater::Fixed)),
        };
        Self {
            gross,
            discounts,
            exempt,
            zero_rated,
            local_tax,
            service_charge,
            net_sales,
            ex_vat,
            add_backs,
            subject,
            percentage_rent,
            fixed_rent,
            rent,
            greater,
        }
    }
}

/// The lease in force in the month beginning on `month`, from leases with their first and last days: the one on the
/// month's last day, else the one that ended latest within it.
#[must_use]
pub fn in_force(leases: &[(BusinessDay, Option<BusinessDay>)], month: BusinessDay) -> Option<usize> {
    let last = crate::span::next(crate::sales::rollup::Grain::Month, month).plus(-1);
    let within =
        |(from, to): &(BusinessDay, Option<BusinessDay>)| *from <= last && to.is_none_or(|to| to >= month);
    let mut found: Vec<usize> = (0..leases.len()).filter(|at| within(&leases[*at])).collect();
    found.sort_by_key(|at| (leases[*at].1.unwrap_or(BusinessDay(i32::MAX)).min(last), leases[*at].0));
    found.pop()
}

/// A figure of a day that has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = CmsrChange))]
#[serde(rename_all = "camelCase")]
pub struct Changed {
    pub date: BusinessDay,
    pub figure: Figure,
    pub before: Money,
    pub after: Money,
}

/// The differences between two states of a month, day by day.
#[must_use]
pub fn changes(before: &[(BusinessDay, Figures)], after: &[(BusinessDay, Figures)]) -> Vec<Changed> {
    let old: BTreeMap<BusinessDay, Figures> = before.iter().copied().collect();
    let new: BTreeMap<BusinessDay, Figures> = after.iter().copied().collect();
    let days: std::collections::BTreeSet<BusinessDay> = old.keys().chain(new.keys()).copied().collect();
    let mut changed = Vec::new();
    for date in days {
        let (was, is) =
            (old.get(&date).copied().unwrap_or_default(), new.get(&date).copied().unwrap_or_default());
        for figure in FIGURES {
            let (before, after) = (was.get(figure), is.get(figure));
            if before != after {
                changed.push(Changed { date, figure, before, after });
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests;
