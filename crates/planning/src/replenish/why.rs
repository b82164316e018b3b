use super::{Advice, Caps, Question, Safety};

/// The explanation of a line: every figure of the question and of its answer, in the question's unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// The forecasting method.
    pub method: String,
    /// The method's error on this item: Σ|e| ÷ Σ|y|; `None` with too little history.
    pub error: Option<f64>,
    pub lead_days: u32,
    /// As used: at least 1.
    pub review_days: u32,
    /// Expected usage in lead and review days.
    pub demand: f64,
    pub safety_stock: f64,
    /// z and σ of the safety stock; `None` where it is a quantile of errors.
    pub z: Option<f64>,
    pub sigma: Option<f64>,
    pub min: f64,
    pub max: Option<f64>,
    pub target: f64,
    pub on_hand: f64,
    pub in_transit: f64,
    pub on_order: f64,
    pub committed: f64,
    pub position: f64,
    pub need: f64,
    pub pack: f64,
    pub shelf_life_days: Option<u32>,
    pub shelf_life_demand: Option<f64>,
    /// Packs removed for lack of storage.
    pub packs_without_room: u64,
    /// The final quantity.
    pub quantity: f64,
    pub cover_days: Option<f64>,
    pub caps: Caps,
}

impl Question<'_> {
    /// The figures of this question and its answer.
    #[must_use]
    pub fn why(&self, advice: &Advice, method: &str, error: Option<f64>) -> Why {
        let (z, sigma) = match self.safety {
            Safety::Quantile(_) => (None, None),
            Safety::Normal { z, sigma } => (Some(z), Some(sigma)),
        };
        Why {
            method: method.to_owned(),
            error,
            lead_days: self.lead,
            review_days: self.review.max(1),
            demand: advice.demand,
            safety_stock: advice.safety_stock,
            z,
            sigma,
            min: self.min,
            max: self.max,
            target: advice.target,
            on_hand: self.on_hand,
            in_transit: self.in_transit,
            on_order: self.on_order,
            committed: self.committed,
            position: advice.position,
            need: advice.need,
            pack: self.pack,
            shelf_life_days: self.shelf_life_days,
            shelf_life_demand: advice.shelf_life_demand,
            packs_without_room: 0,
            quantity: advice.quantity,
            cover_days: advice.cover_days,
            caps: advice.caps,
        }
    }
}

impl Why {
    /// Removes packs for lack of storage, as in [`super::storage::fit`].
    pub fn without_room(&mut self, packs: u64) {
        if packs == 0 {
            return;
        }
        self.packs_without_room += packs;
        self.quantity = (self.quantity - packs as f64 * self.pack).max(0.0);
        self.caps.storage = true;
        let days = f64::from(self.lead_days + self.review_days);
        self.cover_days = super::cover_days(self.position + self.quantity, self.demand / days);
    }
}
