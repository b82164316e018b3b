//! Whether the dates of a source are calendar dates or business dates, by the titles of its columns.

/// Titles of columns whose dates are business dates: a sale after midnight bears the date of its evening.
const BUSINESS: [&str; 9] = [
    "businessdate",
    "businessday",
    "bizdate",
    "tradingdate",
    "tradingday",
    "postingdate",
    "operatingdate",
    "salesday",
    "accountingdate",
];

/// Whether a column title says that its dates are business dates. In a path such as `orders[].businessDate` its last name
/// counts.
#[must_use]
pub fn names_business_date(title: &str) -> bool {
    let last = title.rsplit(['.', ']']).next().unwrap_or(title);
    let letters: String = last.chars().filter(char::is_ascii_alphanumeric).collect();
    BUSINESS.contains(&letters.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_titles_of_business_dates_say_so() {
        for title in ["Business date", "business_day", "Trading Date", "Posting date", "data[].businessDate"]
        {
            assert!(names_business_date(title), "{title}");
        }
        for title in ["Date", "Order Date", "Sent Date", "Opened", "Transaction date", "business", ""] {
            assert!(!names_business_date(title), "{title}");
        }
    }
}
