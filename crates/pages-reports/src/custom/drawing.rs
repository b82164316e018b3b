//! The chart of a table and the text beside it.

use super::answer::{CustomAnswer, CustomRow, Figure, picture};
use super::definition::{CustomChart, CustomRule};
use super::fields::CustomType;
use larder_domain::plural;
use larder_engines::reports::picture::{
    Drawing, MOST_BARS, MOST_SERIES, MOST_SHADED, Numbered, Series, Style, numbered, percent, short,
};
use larder_platform::http::export::plain;

/// Maximum number of totals listed beside the chart.
const MOST_LINES: usize = 8;

/// The chart of a table, with numbers for names the picture cannot write; `None` if none is set or there is
/// nothing to show.
#[must_use]
pub fn of(name: &str, answer: &CustomAnswer) -> Option<Numbered> {
    let chart = picture(answer);
    if chart == CustomChart::None {
        return None;
    }
    let measure = answer.measures.first()?;
    let many = answer.measures.len();
    let unit = answer.rows.first().and_then(|row| row.unit.clone()).filter(|_| measure.unit);
    // A chart has a single unit: the first row's.
    let rows: Vec<&CustomRow> = answer.rows.iter().filter(|row| !measure.unit || row.unit == unit).collect();
    let label = |row: &CustomRow| row.labels.join(", ");
    let total = |row: &CustomRow| row.total.first().copied().flatten().map(|figure| figure.as_f64());
    let across = |row: &CustomRow| -> Vec<Option<f64>> {
        (0..answer.columns.len())
            .map(|at| row.values.get(at * many).copied().flatten().map(|figure| figure.as_f64()))
            .collect()
    };
    let dates = answer.row_fields.first().is_some_and(|head| DATES.contains(&head.key.as_str()));
    // A running total is a line over its dates.
    let along = !answer.columns.is_empty() || dates && answer.row_fields.len() == 1;
    let chart = match chart {
        CustomChart::Bars if along && measure.rule == CustomRule::Running => CustomChart::Lines,
        chart => chart,
    };
    let (style, points, series) = if answer.columns.is_empty() {
        let style = match chart {
            CustomChart::Lines => Style::Lines,
            _ if dates => Style::Bars,
            _ => Style::Names,
        };
        let most = if style == Style::Lines || dates { 62 } else { MOST_BARS };
        let shown: Vec<&&CustomRow> = rows.iter().take(most).collect();
        let series =
            Series { label: measure.label.clone(), values: shown.iter().map(|row| total(row)).collect() };
        (style, shown.iter().map(|row| label(row)).collect(), vec![series])
    } else {
        let style = match chart {
            CustomChart::Heat => Style::Heat,
            CustomChart::Lines => Style::Lines,
            _ => Style::Bars,
        };
        let most = if style == Style::Heat { MOST_SHADED } else { MOST_SERIES };
        let points = answer.columns.iter().map(|column| column.labels.join(", ")).collect();
        let series =
            rows.iter().take(most).map(|row| Series { label: label(row), values: across(row) }).collect();
        (style, points, series)
    };
    let unit = unit.map(|unit| format!(" ({unit})")).unwrap_or_default();
    Some(numbered(Drawing {
        title: name.to_owned(),
        subtitle: format!("{}{unit}, {}", measure.label, range(answer)),
        style,
        points,
        series,
        short: if measure.r#type == CustomType::Share { percent } else { short },
    }))
}

const DATES: [&str; 6] = ["date", "week", "month", "quarter", "year", "weekday"];

/// The table's date range as text.
#[must_use]
pub fn range(answer: &CustomAnswer) -> String {
    if answer.from == answer.to {
        return answer.from.display();
    }
    format!("{} to {}", answer.from.display(), answer.to.display())
}

/// A text description of the chart of the report with this name.
#[must_use]
pub fn words(name: &str, Numbered { drawing, .. }: &Numbered) -> String {
    let points = drawing.points.len();
    let values = plural(points, "value", "values");
    if drawing.subtitle.is_empty() {
        return format!("Chart of {name}: {values}.");
    }
    format!("Chart of {name}: {} by {values}.", drawing.subtitle)
}

/// The table's totals and notices, line by line.
#[must_use]
pub fn lines(answer: &CustomAnswer) -> Vec<String> {
    let mut lines = Vec::new();
    for total in &answer.totals {
        for (measure, figure) in answer.measures.iter().zip(&total.total) {
            let Some(figure) = figure else { continue };
            let of_itself = matches!(measure.rule, CustomRule::Share | CustomRule::Parent);
            if of_itself || !measure.unit && total.unit.is_some() && answer.units > 1 {
                continue;
            }
            let written = match (figure, measure.r#type) {
                (Figure::Money(money), _) => money.pesos(),
                (_, CustomType::Share) => format!("{:.1}%", figure.as_f64() * 100.0),
                _ => grouped(&plain(&figure.cell())),
            };
            let unit = total.unit.as_deref().filter(|_| measure.unit).map(|unit| format!(" {unit}"));
            lines.push(format!("{}: {written}{}", measure.label, unit.unwrap_or_default()));
        }
    }
    if answer.rows.is_empty() {
        lines.push("Nothing matches in these days.".to_owned());
    }
    lines.truncate(MOST_LINES);
    lines.extend(answer.notices.iter().map(|notice| notice.message.clone()));
    lines
}

/// Adds thousands separators.
fn grouped(number: &str) -> String {
    let (sign, number) = number.strip_prefix('-').map_or(("", number), |rest| ("−", rest));
    let (whole, rest) = number.split_once('.').map_or((number, None), |(whole, rest)| (whole, Some(rest)));
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    let rest = rest.map(|rest| format!(".{rest}")).unwrap_or_default();
    format!("{sign}{out}{rest}")
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_separated() {
        assert_eq!((grouped("1234567.5"), grouped("-999")), ("1,234,567.5".into(), "−999".into()));
    }
}
