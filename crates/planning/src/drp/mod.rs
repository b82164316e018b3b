//! Time-phased plan (DRP): what must arrive at a place in each bucket (a day or a week), and when it must be released.
//! Stores are planned first; their releases are their commissary's gross requirements.

mod explode;
mod trucks;

use crate::Refusal;
use crate::replenish::fair::exact;
use crate::replenish::{at_least_nothing, packs_up};
pub use explode::explode;
pub use trucks::{Truck, plan_by_trucks};

/// The input for one place and item. Quantities in one unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place<'a> {
    /// GR: gross requirement per bucket.
    pub gross: &'a [f64],
    /// SR: scheduled receipts, in the bucket of arrival.
    pub scheduled: &'a [f64],
    /// On hand before the first bucket; negative where more was used than recorded.
    pub on_hand: f64,
    /// SS: minimum left at the end of every bucket.
    pub safety_stock: f64,
    /// L: buckets from release to receipt.
    pub lead: usize,
    pub pack: f64,
}

/// The plan of a place; one figure per bucket.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    pub gross: Vec<f64>,
    pub scheduled: Vec<f64>,
    /// POH: projected on hand at the end of the bucket.
    pub on_hand: Vec<f64>,
    /// max(0, SS − (POH before + SR − GR)).
    pub net: Vec<f64>,
    /// The net requirement in whole packs.
    pub receipt: Vec<f64>,
    /// Receipts, the lead time earlier.
    pub release: Vec<f64>,
    /// Receipts that would have had to be released before the first bucket. Their stock is included in the plan, so
    /// they must be expedited or the plan fails.
    pub past_due: Vec<PastDue>,
}

/// A receipt that cannot be released in time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PastDue {
    /// The bucket in which it is needed, from 0.
    pub needed: usize,
    /// Buckets before the first in which it should have been released; at least 1.
    pub late_by: usize,
    pub quantity: f64,
}

/// Plans a place: POH = POH before + SR − GR + receipt, receipt = ceil(net ÷ pack) · pack.
///
/// # Errors
/// Gross requirements and scheduled receipts of different lengths; a pack size of zero; a figure that is not finite or,
/// except the stock on hand, negative.
pub fn plan(place: &Place<'_>) -> Result<Grid, Refusal> {
    check(place)?;
    let buckets = place.gross.len();
    let mut grid = Grid {
        gross: place.gross.to_vec(),
        scheduled: place.scheduled.to_vec(),
        on_hand: Vec::with_capacity(buckets),
        net: Vec::with_capacity(buckets),
        receipt: Vec::with_capacity(buckets),
        release: vec![0.0; buckets],
        past_due: Vec::new(),
    };
    let mut on_hand = place.on_hand;
    for (at, (gross, scheduled)) in place.gross.iter().zip(place.scheduled).enumerate() {
        let without = on_hand + scheduled - gross;
        let net = (place.safety_stock - without).max(0.0);
        let receipt = packs_up(net, place.pack) * place.pack;
        on_hand = without + receipt;
        if !on_hand.is_finite() {
            return Err(Refusal::Invalid("The figures are past what can be worked out."));
        }
        grid.net.push(net);
        grid.receipt.push(receipt);
        grid.on_hand.push(on_hand);
        if receipt > 0.0 {
            match at.checked_sub(place.lead) {
                Some(release) => grid.release[release] += receipt,
                None => {
                    grid.past_due.push(PastDue { needed: at, late_by: place.lead - at, quantity: receipt });
                }
            }
        }
    }
    Ok(grid)
}

/// A commissary's gross requirement per bucket: the sum of its stores' releases. A store's past-due releases go into
/// the first bucket, since they cannot be sent earlier. Sums are exact to the millionth, so the order of stores does
/// not matter.
///
/// # Errors
/// Grids of different lengths; overflow of an exact quantity.
pub fn commissary_gross(stores: &[Grid]) -> Result<Vec<f64>, Refusal> {
    let buckets = stores.first().map_or(0, |grid| grid.release.len());
    let mut sums = vec![0i64; buckets];
    let mut add = |at: usize, quantity: f64| -> Option<()> {
        let sum = sums.get_mut(at)?;
        *sum = sum.checked_add(exact(quantity)?.0)?;
        Some(())
    };
    for grid in stores {
        if grid.release.len() != buckets {
            return Err(UNEVEN);
        }
        let past_due = grid.past_due.iter().map(|late| (0, late.quantity));
        for (at, quantity) in grid.release.iter().copied().enumerate().chain(past_due) {
            add(at, quantity).ok_or(Refusal::Invalid("The figures are past what can be worked out."))?;
        }
    }
    Ok(sums.into_iter().map(|sum| sum as f64 / 1e6).collect())
}

/// A commissary's own figures; its gross requirement comes from the stores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Commissary<'a> {
    pub scheduled: &'a [f64],
    pub on_hand: f64,
    pub safety_stock: f64,
    pub lead: usize,
    pub pack: f64,
}

/// Stores and the commissary above them, for one item.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    /// In the order of the stores.
    pub stores: Vec<Grid>,
    pub commissary: Grid,
}

/// Plans the stores, then the commissary for their releases.
///
/// # Errors
/// As [`plan`] and [`commissary_gross`].
pub fn network(stores: &[Place<'_>], commissary: &Commissary<'_>) -> Result<Network, Refusal> {
    let stores = stores.iter().map(plan).collect::<Result<Vec<_>, _>>()?;
    let mut gross = commissary_gross(&stores)?;
    if stores.is_empty() {
        gross.resize(commissary.scheduled.len(), 0.0);
    }
    let Commissary { scheduled, on_hand, safety_stock, lead, pack } = *commissary;
    let commissary = plan(&Place { gross: &gross, scheduled, on_hand, safety_stock, lead, pack })?;
    Ok(Network { stores, commissary })
}

const UNEVEN: Refusal = Refusal::Invalid("All rows of a plan need the same number of buckets.");

fn check(place: &Place<'_>) -> Result<(), Refusal> {
    if place.gross.len() != place.scheduled.len() {
        return Err(UNEVEN);
    }
    if !(place.pack.is_finite() && place.pack > 0.0) {
        return Err(Refusal::Invalid("A pack has to hold more than nothing."));
    }
    if !place.gross.iter().chain(place.scheduled).all(|figure| at_least_nothing(*figure)) {
        return Err(Refusal::Invalid("A bucket's requirement or receipt is not a number, or below nothing."));
    }
    if !(place.on_hand.is_finite() && at_least_nothing(place.safety_stock)) {
        return Err(Refusal::Invalid("Stock or safety stock is not a number, or below nothing."));
    }
    Ok(())
}
