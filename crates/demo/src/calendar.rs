//! Day-to-day variation of sales: weekdays, paydays, seasons, holidays, promotions, storms.

use larder_domain::BusinessDay;

use super::menu::{Dish, DishKind};
use super::rng::{Rng, key};
use super::stores::{Island, Place, Site, regions};

/// A day of the calendar, split into its parts.
#[derive(Debug, Clone, Copy)]
pub struct CalendarDay {
    pub day: BusinessDay,
    year: i16,
    month: i8,
    date: i8,
    month_end: bool,
    /// Days since Easter Sunday of its year.
    easter: i32,
}

impl CalendarDay {
    /// From a day.
    pub fn of(day: BusinessDay) -> Self {
        let date = day.date();
        Self {
            day,
            year: date.year(),
            month: date.month(),
            date: date.day(),
            month_end: date.day() == date.days_in_month(),
            easter: day.0 - easter(date.year()).0,
        }
    }

    /// Expected receipts of a place relative to an ordinary day; `None` when it is closed.
    pub fn trade(&self, place: &Place) -> Option<f64> {
        let week = match place.site {
            Site::Mall => [0.82, 0.80, 0.84, 0.90, 1.10, 1.32, 1.30],
            Site::Office => [1.15, 1.18, 1.20, 1.18, 1.20, 0.66, 0.48],
            Site::Street => [0.95, 0.94, 0.96, 0.98, 1.08, 1.08, 1.02],
            Site::Campus => [1.12, 1.12, 1.14, 1.10, 1.05, 0.85, 0.62],
            Site::Transit => [0.98, 0.92, 0.92, 0.96, 1.18, 1.05, 1.04],
        };
        let holiday = self.holiday(place.site)?;
        Some(week[usize::from(self.day.weekday())] * holiday * self.payday() * self.season(place.site))
    }

    /// More spending around the 15th and the 30th.
    fn payday(&self) -> f64 {
        let paid = |date: i8| date == 15 || date == 30 || (self.month_end && date < 30);
        match self.date {
            date if paid(date) => 1.20,
            16 | 31 => 1.13,
            1 => 1.08,
            14 | 29 => 0.94,
            _ => 1.0,
        }
    }

    fn season(&self, site: Site) -> f64 {
        let month = match self.month {
            1 => 0.92,
            2 => 0.96,
            4 => 1.02,
            5 => 1.04,
            6 | 7 => 0.95,
            8 => 0.96,
            9 => 0.98,
            11 => 1.06,
            12 => 1.20,
            _ => 1.0,
        };
        let shopping = if self.month == 12 && (12..24).contains(&self.date) { 1.15 } else { 1.0 };
        let out_of_school = match (site, self.month) {
            (Site::Campus, 6 | 7) => 0.62,
            (Site::Campus, 12) if self.date > 18 => 0.5,
            (Site::Office, 12) if self.date > 21 => 0.7,
            _ => 1.0,
        };
        month * shopping * out_of_school
    }

    /// The effect of a holiday on a place; `None` when it is closed.
    fn holiday(&self, site: Site) -> Option<f64> {
        let desk = matches!(site, Site::Office | Site::Campus);
        let last_monday_of_august = self.month == 8 && self.date > 24 && self.day.is_monday();
        match (self.month, self.date) {
            _ if self.easter == -2 => None,
            _ if self.easter == -3 && site != Site::Transit => None,
            _ if self.easter == -1 => (!desk).then_some(0.7),
            _ if self.easter == 0 => Some(if desk { 0.4 } else { 1.25 }),
            (1, 1) | (12, 25) => matches!(site, Site::Mall | Site::Transit).then_some(0.75),
            (12, 24 | 31) => Some(if desk { 0.35 } else { 0.7 }),
            (12, 30) | (1, 2) => Some(if desk { 0.45 } else { 1.15 }),
            (2, 14) => Some(1.25),
            (11, 1 | 2) => Some(if desk { 0.4 } else { 0.85 }),
            (2, 25) | (4, 9) | (5, 1) | (6, 12) | (8, 21) | (11, 30) | (12, 8) => {
                Some(if desk { 0.45 } else { 1.2 })
            }
            _ if last_monday_of_august => Some(if desk { 0.45 } else { 1.2 }),
            _ => Some(1.0),
        }
    }

    /// The demand factor of a dish on this day.
    pub fn demand(&self, dish: &Dish) -> f64 {
        let mut factor = 1.0;
        let weekend = self.day.weekday() >= 5;
        if dish.is('c') {
            factor *= [0.85, 0.95, 1.3, 1.6, 1.55, 1.1, 0.9, 0.88, 0.92, 1.0, 0.95, 0.85][self.month_place()];
        }
        if dish.is('h') {
            factor *= [1.15, 1.0, 0.8, 0.65, 0.7, 1.05, 1.35, 1.4, 1.3, 1.1, 1.1, 1.25][self.month_place()];
        }
        if dish.is('k') {
            factor *= if weekend { 1.35 } else { 0.88 };
        }
        if dish.is('b') {
            factor *= if weekend { 0.92 } else { 1.06 };
        }
        if dish.traits.starts_with("xx") {
            // On the menu from All Saints to Epiphany.
            let on = matches!((self.month, self.date), (11, _) | (1, 1..=6)) || self.month == 12;
            factor *= if !on {
                0.0
            } else if self.month == 12 {
                2.6
            } else {
                1.0
            };
        } else if dish.is('x') {
            factor *= if self.month == 12 {
                1.7
            } else if self.month == 11 {
                1.12
            } else {
                1.0
            };
        }
        factor
    }

    fn month_place(&self) -> usize {
        usize::from(self.month.unsigned_abs()).saturating_sub(1).min(11)
    }

    /// Prices rise each February; the number of rises between the day and a later one.
    pub fn price_rises_until(&self, later: &CalendarDay) -> i64 {
        let year = |at: &CalendarDay| i64::from(at.year) - i64::from(at.month < 2);
        (year(later) - year(self)).max(0)
    }
}

/// The dish of the week, if any, as an index into the menu.
pub fn promotion(seed: u64, day: BusinessDay, dishes: &[Dish]) -> Option<usize> {
    let mut rng = Rng::of(seed, &[key("promotion"), u64::from(day.week().0.unsigned_abs())]);
    if !rng.happens(0.6) {
        return None;
    }
    let fit = |dish: &Dish| {
        dish.weight >= 8.0 && dish.kind != DishKind::Sharing && dish.traits.chars().all(|m| m != 'd')
    };
    let fitting: Vec<usize> = (0..dishes.len()).filter(|at| fit(&dishes[*at])).collect();
    Some(fitting[rng.below(fitting.len())]).filter(|at| !dishes[*at].traits.starts_with("xx"))
}

/// The demand factor of a promotion for its dish.
pub const PROMOTION_LIFT: f64 = 1.8;

/// The weather's effect on a region's receipts on a day; `None` when a storm closes its stores.
pub fn weather(seed: u64, region: usize, day: BusinessDay) -> Option<f64> {
    let mut factor = Some(1.0);
    for (first, days, strength) in storms(seed, region, day.date().year()) {
        let at = day.0 - first.0;
        if (0..days).contains(&at) {
            return None;
        } else if at == -1 {
            factor = factor.map(|f| f * (1.0 - 0.25 * strength));
        } else if at == days {
            factor = factor.map(|f| f * (1.0 - 0.15 * strength));
        }
    }
    factor
}

/// The storms that close a region in a year: first day, number of days, strength.
fn storms(seed: u64, region: usize, year: i16) -> Vec<(BusinessDay, i32, f64)> {
    let mut all = Vec::new();
    for nth in 0..6u64 {
        let mut rng = Rng::of(seed, &[key("storm"), year.unsigned_abs().into(), nth]);
        // Five in the season from June to early December; the sixth in winter, in the south.
        let in_season = nth < 5;
        let island = if in_season {
            [Island::Luzon, Island::Visayas, Island::Mindanao][rng.pick(&[0.6, 0.25, 0.15])]
        } else {
            [Island::Visayas, Island::Mindanao][rng.below(2)]
        };
        let (from, within) = if in_season { ((6, 1), 185) } else { ((1, 8), 60) };
        let begin = BusinessDay::from_ymd(year, from.0, from.1).unwrap_or(BusinessDay(0));
        let first = begin.plus(i32::try_from(rng.below(within)).unwrap_or(0));
        let days = if rng.happens(0.3) { 2 } else { 1 };
        let strength = rng.between(0.5, 1.0);
        let mut reach = Rng::of(seed, &[key("reach"), year.unsigned_abs().into(), nth, region as u64]);
        if regions()[region].island == island && reach.happens(0.75) {
            all.push((first, days, strength));
        }
    }
    all
}

/// Easter Sunday (Butcher's rule of 1876).
fn easter(year: i16) -> BusinessDay {
    let year = i32::from(year);
    let (a, b, c) = (year % 19, year / 100, year % 100);
    let (d, e) = (b / 4, b % 4);
    let f = (b + 8) / 25;
    let g = (b - f + 1) / 3;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let (month, day) = ((h + l - 7 * m + 114) / 31, (h + l - 7 * m + 114) % 31 + 1);
    let small = |n: i32| i8::try_from(n).unwrap_or(1);
    BusinessDay::from_ymd(i16::try_from(year).unwrap_or(1970), small(month), small(day))
        .unwrap_or(BusinessDay(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::menu::dishes;
    use crate::stores::places;

    fn day(text: &str) -> BusinessDay {
        text.parse().expect("a day")
    }

    #[test]
    fn easter_dates_are_correct() {
        for sunday in ["2024-03-31", "2025-04-20", "2026-04-05", "2027-03-28", "2038-04-25"] {
            assert_eq!(easter(day(sunday).date().year()), day(sunday));
        }
    }

    #[test]
    fn days_vary_realistically() {
        let all = places(8);
        let mall = all.iter().find(|p| p.site == Site::Mall).expect("a mall");
        let office = all.iter().find(|p| p.site == Site::Office).expect("an office");
        let trade = |text: &str, place| CalendarDay::of(day(text)).trade(place);
        assert_eq!(trade("2026-04-03", mall), None, "ProductRow Friday");
        assert_eq!(trade("2026-12-25", office), None);
        assert!(trade("2026-10-10", mall) > trade("2026-10-06", mall), "Saturday at the mall");
        assert!(trade("2026-10-10", office) < trade("2026-10-06", office), "Saturday at the office");
        assert!(trade("2026-10-15", office) > trade("2026-10-08", office), "payday");
        let menu = dishes();
        let bibingka = menu.iter().find(|d| d.name == "Bibingka").expect("on the menu");
        assert_eq!(CalendarDay::of(day("2026-07-01")).demand(bibingka), 0.0);
        assert!(CalendarDay::of(day("2026-12-18")).demand(bibingka) > 2.0);
        let rises = CalendarDay::of(day("2025-01-31")).price_rises_until(&CalendarDay::of(day("2026-11-19")));
        assert_eq!(rises, 2);
    }

    #[test]
    fn each_year_has_its_storms() {
        let shut =
            |region| (0..365).filter(|n| weather(1, region, day("2026-01-01").plus(*n)).is_none()).count();
        let all: usize = (0..regions().len()).map(shut).sum();
        assert!((3..60).contains(&all), "{all} region-days");
    }
}
