//! Replenishment rules: values for all stores, a store, a category, a product or a product in a store. Of the rules
//! that apply to a product in a store the most specific one that sets a value wins, value by value.

use std::collections::HashMap;

use crate::Qty;

/// The default service level: 95%, in millionths.
pub const SERVICE_LEVEL: Qty = Qty(950_000);

/// Where a value comes from, the least specific first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The store's own lead and review days.
    Location,
    /// A rule for everything, or the built-in default.
    Default,
    Store,
    Category,
    /// A rule for the product, or the product's own shelf life.
    Product,
    StoreProduct,
}

impl Origin {
    /// Its wire name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Location => "location",
            Self::Default => "default",
            Self::Store => "store",
            Self::Category => "category",
            Self::Product => "product",
            Self::StoreProduct => "storeProduct",
        }
    }
}

/// What a rule applies to; empty means everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Place {
    pub store_id: Option<String>,
    pub category_id: Option<String>,
    pub product_id: Option<String>,
}

impl Place {
    /// Its specificity; `None` for a combination without a rule level.
    #[must_use]
    pub fn origin(&self) -> Option<Origin> {
        match (&self.store_id, &self.category_id, &self.product_id) {
            (None, None, None) => Some(Origin::Default),
            (Some(_), None, None) => Some(Origin::Store),
            (None, Some(_), None) => Some(Origin::Category),
            (None, None, Some(_)) => Some(Origin::Product),
            (Some(_), None, Some(_)) => Some(Origin::StoreProduct),
            _ => None,
        }
    }
}

/// A rule's values; omitted ones come from other rules. Quantities are in the root item's unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Says {
    /// Share of replenishment cycles without a stock-out: 0.95.
    pub service_level: Option<Qty>,
    pub min: Option<Qty>,
    pub max: Option<Qty>,
    pub review_days: Option<i64>,
    pub lead_days: Option<i64>,
    pub shelf_life_days: Option<i64>,
    /// The name of a forecasting method.
    pub method: Option<String>,
    /// Of several products that contain a root item, the lowest comes first.
    pub priority: Option<i64>,
    /// Of several products: this one's share of the need, in percent.
    pub percent: Option<Qty>,
}

impl Says {
    /// Whether it sets no value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Validation errors: field and message.
    #[must_use]
    pub fn faults(&self) -> Vec<(&'static str, &'static str)> {
        let mut wrong = Vec::new();
        let mut check = |holds: bool, field, words| {
            if !holds {
                wrong.push((field, words));
            }
        };
        let within = |value: Option<i64>, least, most| value.is_none_or(|it| (least..=most).contains(&it));
        check(
            self.service_level.is_none_or(|it| (500_000..=999_900).contains(&it.0)),
            "serviceLevel",
            "Enter a service level from 50% to 99.99%.",
        );
        check(self.min.is_none_or(|it| it.0 >= 0), "min", "Enter nothing or more.");
        check(self.max.is_none_or(|it| it.0 >= 0), "max", "Enter nothing or more.");
        if let (Some(min), Some(max)) = (self.min, self.max) {
            check(min <= max, "max", "The most is below the least.");
        }
        check(within(self.review_days, 0, 28), "reviewDays", "Enter 0 to 28 days.");
        check(within(self.lead_days, 0, 28), "leadDays", "Enter 0 to 28 days.");
        check(within(self.shelf_life_days, 1, 3_650), "shelfLifeDays", "Enter 1 to 3,650 days.");
        check(within(self.priority, 1, 99), "priority", "Enter 1 to 99.");
        let whole = 0..=100_000_000;
        check(self.percent.is_none_or(|it| whole.contains(&it.0)), "percent", "Enter 0 to 100 percent.");
        wrong
    }
}

/// A replenishment rule: where it applies and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub id: String,
    pub place: Place,
    pub says: Says,
}

/// A value and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said<T> {
    pub value: T,
    pub origin: Origin,
    pub rule_id: Option<String>,
}

/// A product in a store, and its own values without rules.
#[derive(Debug, Clone, Copy)]
pub struct At<'a> {
    pub store_id: Option<&'a str>,
    /// The store's own lead and review days.
    pub location: (i64, i64),
    pub product_id: Option<&'a str>,
    /// The product's category, then those above it.
    pub categories: &'a [String],
    /// The product's own shelf life.
    pub shelf_life_days: Option<i64>,
}

/// The effective values for a product in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    pub service_level: Said<Qty>,
    pub min: Said<Qty>,
    pub max: Said<Option<Qty>>,
    pub review_days: Said<i64>,
    pub lead_days: Said<i64>,
    pub shelf_life_days: Said<Option<i64>>,
    pub method: Said<Option<String>>,
    pub priority: Said<Option<i64>>,
    pub percent: Said<Option<Qty>>,
}

/// All rules, indexed by what they apply to.
#[derive(Debug, Clone, Default)]
pub struct Rules(HashMap<Place, Rule>);

impl FromIterator<Rule> for Rules {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        Self(rules.into_iter().map(|rule| (rule.place.clone(), rule)).collect())
    }
}

impl Rules {
    /// The rules that apply to a product in a store, the most specific first.
    #[must_use]
    pub fn bearing(&self, at: At<'_>) -> Vec<(Origin, &Rule)> {
        let text = |id: &str| Some(id.to_owned());
        let mut places = Vec::new();
        let mut place = |store: Option<&str>, category: Option<&str>, product: Option<&str>| {
            places.push(Place {
                store_id: store.and_then(text),
                category_id: category.and_then(text),
                product_id: product.and_then(text),
            });
        };
        if at.store_id.is_some() && at.product_id.is_some() {
            place(at.store_id, None, at.product_id);
        }
        if at.product_id.is_some() {
            place(None, None, at.product_id);
        }
        for category in at.categories {
            place(None, Some(category), None);
        }
        if at.store_id.is_some() {
            place(at.store_id, None, None);
        }
        place(None, None, None);
        let known = |place: &Place| Some((place.origin()?, self.0.get(place)?));
        places.iter().filter_map(known).collect()
    }

    /// The effective values for a product in a store. A store's own lead and review days apply where no rule sets
    /// others.
    #[must_use]
    pub fn effective(&self, at: At<'_>) -> Effective {
        let bearing = self.bearing(at);
        fn nearest<T: Clone>(
            bearing: &[(Origin, &Rule)],
            says: impl Fn(&Says) -> Option<T>,
        ) -> Option<Said<T>> {
            bearing.iter().find_map(|(origin, rule)| {
                let value = says(&rule.says)?;
                Some(Said { value, origin: *origin, rule_id: Some(rule.id.clone()) })
            })
        }
        fn maybe<T>(said: Option<Said<T>>) -> Said<Option<T>> {
            match said {
                Some(Said { value, origin, rule_id }) => Said { value: Some(value), origin, rule_id },
                None => Said { value: None, origin: Origin::Default, rule_id: None },
            }
        }
        let base = |value, origin| Said { value, origin, rule_id: None };
        let days = |said: Option<Said<i64>>, own| said.unwrap_or_else(|| base(own, Origin::Location));
        let mut shelf_life_days = maybe(nearest(&bearing, |says| says.shelf_life_days));
        // The product's own shelf life is as specific as a rule for it.
        if shelf_life_days.origin < Origin::Product
            && let Some(own) = at.shelf_life_days.filter(|days| *days > 0)
        {
            shelf_life_days = Said { value: Some(own), origin: Origin::Product, rule_id: None };
        }
        Effective {
            service_level: nearest(&bearing, |says| says.service_level).unwrap_or(Said {
                value: SERVICE_LEVEL,
                origin: Origin::Default,
                rule_id: None,
            }),
            min: nearest(&bearing, |says| says.min).unwrap_or(Said {
                value: Qty::ZERO,
                origin: Origin::Default,
                rule_id: None,
            }),
            max: maybe(nearest(&bearing, |says| says.max)),
            review_days: days(nearest(&bearing, |says| says.review_days), at.location.1),
            lead_days: days(nearest(&bearing, |says| says.lead_days), at.location.0),
            shelf_life_days,
            method: maybe(nearest(&bearing, |says| says.method.clone())),
            priority: maybe(nearest(&bearing, |says| says.priority)),
            percent: maybe(nearest(&bearing, |says| says.percent)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rule(store: Option<&str>, category: Option<&str>, product: Option<&str>, lead: i64) -> Rule {
        let own = |id: Option<&str>| id.map(str::to_owned);
        let place = Place { store_id: own(store), category_id: own(category), product_id: own(product) };
        let id = format!("{store:?}{category:?}{product:?}");
        Rule { id, place, says: Says { lead_days: Some(lead), ..Says::default() } }
    }

    const CATEGORIES: &[&str] = &["bread", "food"];

    fn lead(rules: &[Rule]) -> Said<i64> {
        let rules: Rules = rules.iter().cloned().collect();
        let categories: Vec<String> = CATEGORIES.iter().map(|&id| id.to_owned()).collect();
        let at = At {
            store_id: Some("cubao"),
            location: (2, 3),
            product_id: Some("buns"),
            categories: &categories,
            shelf_life_days: Some(4),
        };
        let effective = rules.effective(at);
        assert_eq!(effective.review_days, Said { value: 3, origin: Origin::Location, rule_id: None });
        assert_eq!(
            effective.shelf_life_days,
            Said { value: Some(4), origin: Origin::Product, rule_id: None }
        );
        assert_eq!(effective.service_level.value, SERVICE_LEVEL);
        effective.lead_days
    }

    /// From the least to the most specific.
    fn ladder() -> Vec<(Rule, Origin)> {
        vec![
            (rule(None, None, None, 10), Origin::Default),
            (rule(Some("cubao"), None, None, 11), Origin::Store),
            (rule(None, Some("food"), None, 12), Origin::Category),
            (rule(None, Some("bread"), None, 13), Origin::Category),
            (rule(None, None, Some("buns"), 14), Origin::Product),
            (rule(Some("cubao"), None, Some("buns"), 15), Origin::StoreProduct),
        ]
    }

    #[test]
    fn the_most_specific_wins_and_names_its_origin() {
        assert_eq!(lead(&[]), Said { value: 2, origin: Origin::Location, rule_id: None });
        let mut rules = Vec::new();
        for (rule, origin) in ladder() {
            let (id, value) = (rule.id.clone(), rule.says.lead_days);
            rules.push(rule);
            let said = lead(&rules);
            assert_eq!((Some(said.value), said.origin, said.rule_id), (value, origin, Some(id)));
        }
        let elsewhere = [rule(Some("pasig"), None, Some("buns"), 9), rule(None, None, Some("rice"), 9)];
        assert_eq!(lead(&elsewhere).origin, Origin::Location);
    }

    #[test]
    fn a_shelf_life_of_a_category_does_not_lengthen_that_of_a_product() {
        let says = |days| Says { shelf_life_days: Some(days), ..Says::default() };
        let of_all = Rule { id: "r".into(), place: Place::default(), says: says(90) };
        let place = Place { product_id: Some("buns".into()), ..Place::default() };
        let of_product = Rule { id: "p".into(), place, says: says(3) };
        let at = At {
            store_id: None,
            location: (0, 0),
            product_id: Some("buns"),
            categories: &[],
            shelf_life_days: Some(4),
        };
        let effective = |rules: Vec<Rule>| rules.into_iter().collect::<Rules>().effective(at).shelf_life_days;
        assert_eq!(effective(vec![of_all.clone()]).value, Some(4));
        assert_eq!(effective(vec![of_all, of_product]).value, Some(3));
    }

    #[test]
    fn invalid_values_are_named_at_their_field() {
        let says = Says {
            service_level: Some(Qty(1_000_000)),
            min: Some(Qty(5)),
            max: Some(Qty(4)),
            lead_days: Some(29),
            shelf_life_days: Some(0),
            percent: Some(Qty(100_000_001)),
            ..Says::default()
        };
        let fields: Vec<&str> = says.faults().into_iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["serviceLevel", "max", "leadDays", "shelfLifeDays", "percent"]);
        assert!(Says::default().is_empty() && Says::default().faults().is_empty());
    }

    proptest! {
        #[test]
        fn less_specific_rules_change_nothing(picked in proptest::collection::vec(any::<bool>(), 6)) {
            let rules: Vec<(Rule, Origin)> =
                ladder().into_iter().zip(&picked).filter(|(_, picked)| **picked).map(|(it, _)| it).collect();
            let said = lead(&rules.iter().map(|(rule, _)| rule.clone()).collect::<Vec<_>>());
            match rules.last() {
                Some((rule, origin)) => {
                    prop_assert_eq!(Some(said.value), rule.says.lead_days);
                    prop_assert_eq!(said.origin, *origin);
                }
                None => prop_assert_eq!(said.origin, Origin::Location),
            }
        }
    }
}
