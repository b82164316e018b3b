//! The datasets of the report builder.

mod documents;
pub mod sales;
mod stock;
pub mod tenders;

use super::fields::Dataset;

/// All datasets, in display order.
pub const ALL: &[&Dataset] = &[
    &sales::SALES,
    &sales::ROOT_USE,
    &sales::STORE_DAYS,
    &tenders::TENDERS,
    &sales::RECEIPTS,
    &sales::READINGS,
    &stock::MOVEMENTS,
    &stock::COUNTS,
    &documents::WASTE,
    &documents::ORDERS,
    &documents::DELIVERIES,
    &documents::RECEIVED,
    &stock::FORECASTS,
    &stock::SNAPSHOTS,
];

/// The dataset with this key.
#[must_use]
pub fn get(key: &str) -> Option<&'static Dataset> {
    ALL.iter().copied().find(|dataset| dataset.key == key)
}

#[cfg(test)]
mod tests {
    use super::super::fields::{Adds, Measure, Source, What};
    use super::*;

    #[test]
    fn keys_are_unique_and_ratios_have_their_parts() {
        for dataset in ALL {
            let mut keys: Vec<&str> = dataset.fields().map(|field| field.key).collect();
            keys.sort_unstable();
            let all = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), all, "{}", dataset.key);
            for field in dataset.fields() {
                let What::Measure(Measure { adds: Adds::Ratio(top, bottom), .. }) = field.what else {
                    continue;
                };
                for part in [top, bottom] {
                    let what = dataset.field(part).map(|field| field.what);
                    assert!(
                        matches!(what, Some(What::Measure(Measure { adds: Adds::Sum(_), .. }))),
                        "{}.{}: {part}",
                        dataset.key,
                        field.key
                    );
                }
            }
        }
    }

    #[test]
    fn excluded_dimensions_of_measures_exist() {
        for dataset in ALL {
            for key in dataset.fields().flat_map(|field| field.not_by) {
                let what = dataset.field(key).map(|field| field.what);
                assert!(matches!(what, Some(What::Dim(_))), "{}: {key}", dataset.key);
            }
        }
    }

    #[test]
    fn dataset_pages_exist() {
        for dataset in ALL {
            assert!(dataset.right.is_none_or(larder_domain::access::page_exists), "{}", dataset.key);
            if let Source::Sql(sql) = dataset.source {
                assert!(sql.only.is_empty() || sql.only.starts_with(" and "), "{}", dataset.key);
            }
        }
    }
}
