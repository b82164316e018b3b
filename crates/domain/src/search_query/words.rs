//! The vocabulary of questions: English, Filipino, and the mixture of both that stores speak.

use super::meaning::Meaning::{
    Against, By, Discount, Each, Filler, Noun, Rank, State, Tender, Topic as About, Versus, When as On,
};
use super::meaning::{AskedAgainst, AskedBy, AskedDiscount, AskedEnd, AskedState, Meaning, Topic, When};
use crate::tender::Kind;

/// Phrases by what they say, in lower case, separated by a comma and a space. A word with a hyphen is one word. Of
/// several phrases that fit, the longest counts, so that «missing stock» is not stock that is missing.
const WORDS: &[(&[Meaning], &str)] = &[
    // Topics.
    (
        &[About(Topic::Sales)],
        "sales, sale, sold, sell, selling, revenue, turnover, benta, bentahan, nabenta, naibenta, \
         binenta, kita, kinita",
    ),
    (&[About(Topic::Mix)], "mix, sales mix, product mix, smbcd"),
    (&[About(Topic::Terminals), Noun(AskedBy::Till)], "terminals, terminal, tills, till, kaha"),
    (&[About(Topic::Mix), Noun(AskedBy::Category)], "categories, category, kategorya"),
    (
        &[About(Topic::Tickets)],
        "average ticket, average check, average spend, tickets, ticket, baskets, basket, \
         bought together, transactions, guest check",
    ),
    (&[About(Topic::Tickets), Noun(AskedBy::Hour)], "hours, oras"),
    (
        &[About(Topic::Tickets), By(AskedBy::Hour)],
        "busiest hours, busiest hour, busy hours, peak hours, peak hour, matao",
    ),
    (
        &[About(Topic::Growth)],
        "growth, sales growth, compare, comparison, sales comparison, like for like, like-for-like, \
         same store, same-store, paglago, lumago, tumaas, bumaba",
    ),
    (&[About(Topic::Usage)], "usage, used, use, consumption, consumed, ginamit, nagamit, konsumo, nakonsumo"),
    (&[About(Topic::Movement)], "movements, movement, galaw"),
    (
        &[About(Topic::Waste)],
        "waste, wasted, wastage, spoilage, spoiled, spoilt, thrown away, thrown out, tapon, natapon, \
         itinapon, tinapon, nasira, sira, napanis, panis, nasayang, sayang",
    ),
    (
        &[About(Topic::Counts)],
        "counts, count, counted, stock count, bilang, binilang, pagbibilang, imbentaryong bilang",
    ),
    (
        &[About(Topic::Counts), State(AskedState::Missing)],
        "not counted, uncounted, hindi pa nabibilang, hindi nabilang, di pa nabibilang",
    ),
    (
        &[About(Topic::Variance)],
        "count variance, variance, variances, shrinkage, shrink, missing stock, stock loss, \
         nawawalang stock, nawalang stock",
    ),
    (
        &[About(Topic::Stock)],
        "on hand, stock, stocks, stock on hand, inventory, imbentaryo, natitira, natira, tira, left",
    ),
    (
        &[About(Topic::Stock), State(AskedState::AtRisk)],
        "stock at risk, running out, run out, out of stock, stock out, stock outs, stockout, stockouts, \
         stock-out, stock-outs, low stock, low on stock, ubos, ubos na, paubos, paubos na, mauubos, \
         mauubos na, naubos, naubos na, malapit maubos, malapit nang maubos, malapit ng maubos, \
         walang stock, wala nang stock, wala ng stock, kulang na stock, kulang sa stock",
    ),
    (&[About(Topic::Lots)], "lots, lot, expiry, shelf life"),
    (&[About(Topic::Orders)], "orders, order, ordered, umorder, inorder, in-order, pag-order"),
    (&[About(Topic::Kitchen)], "kitchen, commissary, kusina"),
    (
        &[About(Topic::Kitchen), State(AskedState::Short)],
        "short at kitchen, short at the kitchen, short at commissary, kulang sa kitchen, \
         kulang sa kusina, kulang sa commissary",
    ),
    (&[About(Topic::Production)], "production, batches, batch, produksyon, niluto, lulutuin"),
    (
        &[About(Topic::Deliveries)],
        "deliveries, delivery, delivered, deliver, shipments, padala, ipinadala, hatid, idineliver",
    ),
    (&[About(Topic::Receipts)], "receipts, receipt, received, receiving, natanggap, tinanggap, dumating"),
    (&[About(Topic::Transfers)], "transfers, transfer, transferred, inilipat, lipat, nilipat, paglipat"),
    (
        &[About(Topic::Tenders), Noun(AskedBy::Tender)],
        "tenders, tender, payments, payment, bayad, tender report",
    ),
    (
        &[About(Topic::Tenders), Tender(Kind::Cash)],
        "cash, cash sales, deposits, deposit, deposito, cash deposits, pera",
    ),
    (
        &[About(Topic::Tenders), Tender(Kind::Card)],
        "cards, card, card sales, credit card, credit cards, debit card, debit cards",
    ),
    (
        &[About(Topic::Tenders), Tender(Kind::EWallet)],
        "gcash, e-wallet, e-wallets, ewallet, e wallet, paymaya, grabpay",
    ),
    (&[About(Topic::Tenders), Tender(Kind::Voucher)], "voucher, vouchers, gift checks, gift cards"),
    (&[About(Topic::Tenders), Tender(Kind::OnAccount)], "on account, charge sales, utang"),
    (
        &[About(Topic::Tenders), Tender(Kind::Cash), State(AskedState::Unpaid)],
        "not deposited, not yet deposited, undeposited, hindi nadeposito, hindi pa nadeposito, \
         hindi pa nadedeposito, hindi pa naidedeposito, hindi pa nade-deposito, di pa nadedeposito, \
         di nadeposito, wala pa sa bangko, wala sa bangko, hindi pa nadideposit",
    ),
    (
        &[About(Topic::Readings)],
        "z readings, z reading, z-readings, z-reading, zreadings, zreading, readings, reading, z",
    ),
    (
        &[About(Topic::Cmsr)],
        "cmsr, certified sales, certified monthly sales, certified monthly sales report, \
         monthly sales report",
    ),
    (&[About(Topic::Netsuite)], "netsuite, net suite"),
    (&[About(Topic::Forecast)], "forecasts, forecast, sales forecast, forecast sales, demand, hula"),
    (
        &[About(Topic::Plan)],
        "plan, drp, replenishment, replenishment plan, suggested order, suggested orders",
    ),
    (&[About(Topic::FoodCost)], "food cost, food costs, cogs, cost of goods, gastos sa pagkain"),
    (&[About(Topic::Occupancy)], "occupancy, occupancy cost, rent, upa, renta"),
    (&[About(Topic::Performance)], "performance, ranking, scorecard, store scorecard, ranggo"),
    (&[About(Topic::Discounts)], "discounts, discount, diskwento, diskuwento, bawas"),
    // Discounts by law and others.
    (
        &[About(Topic::Discounts), Discount(AskedDiscount::Senior)],
        "senior discount, senior discounts, senior, seniors, senior citizen, senior citizens, \
         senior citizen discount, diskwento ng senior, diskwento sa senior",
    ),
    (
        &[About(Topic::Discounts), Discount(AskedDiscount::Pwd)],
        "pwd, pwd discount, pwd discounts, diskwento ng pwd, diskwento sa pwd",
    ),
    (
        &[About(Topic::Discounts), Discount(AskedDiscount::SoloParent)],
        "solo parent, solo parents, solo parent discount",
    ),
    (
        &[About(Topic::Discounts), Discount(AskedDiscount::Naac)],
        "naac, naac discount, athlete discount, athletes discount",
    ),
    (&[About(Topic::Discounts), Discount(AskedDiscount::Valor)], "medal of valor, valor discount"),
    (
        &[About(Topic::Discounts), Discount(AskedDiscount::Employee)],
        "employee discount, employee discounts, staff discount, diskwento ng empleyado",
    ),
    (&[About(Topic::Discounts), Discount(AskedDiscount::Vip)], "vip discount, vip discounts"),
    (&[About(Topic::Discounts), Discount(AskedDiscount::Promo)], "promo discount, promo discounts"),
    // States.
    (
        &[State(AskedState::Missing)],
        "missing, lacking, gaps, gap, no, has no, have no, with no, without, not in, not yet in, kulang, \
         may kulang, kulang na, kulang ng, kulang pa, nawawala, nawawalang, wala, walang, wala pa, \
         wala pang, may wala, hindi pa pumasok, absent",
    ),
    (
        &[State(AskedState::Unpaid)],
        "unpaid, not in the bank, not in bank, not banked, unsettled, outstanding, hindi bayad, \
         hindi pa bayad",
    ),
    (&[State(AskedState::Late)], "late, overdue, delayed, huli, nahuli, nahuhuli, atrasado, delay"),
    (
        &[State(AskedState::ToVerify)],
        "to verify, to be verified, unverified, not verified, to review, for review, needs review, \
         for checking, hindi pa verified, ive-verify, iche-check",
    ),
    (&[State(AskedState::Disputed)], "disputed, dispute, in dispute, pinagtatalunan"),
    (
        &[State(AskedState::Differs)],
        "differs, differ, differences, difference, with differences, mismatch, mismatched, do not match, \
         does not match, discrepancy, discrepancies, di tugma, hindi tugma, magkaiba, may diperensya, \
         diperensya",
    ),
    (
        &[State(AskedState::ToApprove)],
        "to approve, to be approved, for approval, pending approval, waiting for approval, \
         awaiting approval, unapproved, not approved, aaprubahan, i-approve, ia-approve, \
         hindi pa approved, hindi pa aprubado",
    ),
    (&[State(AskedState::Short)], "short, shortage, shortages"),
    (&[State(AskedState::AtRisk)], "at risk"),
    (&[State(AskedState::Recalled)], "recalled, recall, recalls, ipinare-recall"),
    (
        &[State(AskedState::Expiring)],
        "expiring, expiring soon, expires soon, expire soon, near expiry, about to expire, \
         malapit mag-expire, malapit nang mag-expire, mag-eexpire, mage-expire, paexpire",
    ),
    (&[State(AskedState::Held)], "held, on hold, naka-hold"),
    (
        &[State(AskedState::OnTheWay)],
        "on the way, on its way, in transit, on the road, papunta na, parating, paparating, padating, \
         nasa biyahe",
    ),
    (
        &[State(AskedState::Undeclared)],
        "undeclared, not declared, not yet declared, hindi dineklara, hindi pa dineklara, \
         hindi pa nadedeklara",
    ),
    (&[State(AskedState::Blocked)], "blocked, naka-block"),
    (&[State(AskedState::Failed)], "failed"),
    // Rankings.
    (
        &[Rank(AskedEnd::Top)],
        "top, best, most, highest, pinakamataas, pinakamataas na, pinakamarami, pinakamaraming, \
         pinakamagaling, pinakamagandang",
    ),
    (
        &[Rank(AskedEnd::Bottom)],
        "worst, bottom, least, lowest, pinakamababa, pinakamababang, pinakakaunti, pinakakaunting",
    ),
    (
        &[Rank(AskedEnd::Top), About(Topic::Sales)],
        "best selling, best-selling, best seller, best sellers, bestseller, bestsellers, top seller, \
         top sellers, top selling, fast moving, fast-moving, mabenta, mabentang, pinakamabenta, \
         pinakamabentang, pinaka mabenta, pinaka mabentang, pinaka-mabenta, mabili, pinakamabili, \
         pinakamabiling, malakas",
    ),
    (
        &[Rank(AskedEnd::Bottom), About(Topic::Sales)],
        "worst selling, worst seller, worst sellers, slow moving, slow-moving, slow movers, slowest, \
         hindi mabenta, hindi mabentang, di mabenta, di mabentang, matumal, matumal na, mahina",
    ),
    // Breakdowns.
    (&[Each], "by, per, each, every, which, what, kada, bawat, aling, alin, anong, alin sa mga"),
    (&[Noun(AskedBy::Store)], "store, branch, tindahan, sangay, shop, outlet"),
    (&[Noun(AskedBy::Store), Filler], "stores, branches, shops, outlets, mga store, mga tindahan"),
    (&[Noun(AskedBy::Area)], "area, areas, region, regions, lugar"),
    (&[Noun(AskedBy::Item)], "item, product, produkto, produktong, paninda, dish, ulam"),
    (&[Noun(AskedBy::Item), Filler], "items, products, dishes, mga item, mga produkto"),
    (&[Noun(AskedBy::Hour)], "hour"),
    (&[Noun(AskedBy::Weekday)], "weekday, weekdays, day of the week, day of week, araw ng linggo"),
    (&[Noun(AskedBy::Day)], "day, araw, date"),
    (&[Noun(AskedBy::Week)], "week, linggo"),
    (&[Noun(AskedBy::Month)], "month, buwan"),
    (&[By(AskedBy::Hour)], "hourly, oras-oras"),
    (&[By(AskedBy::Day)], "daily, araw-araw"),
    (&[By(AskedBy::Week)], "weekly, lingguhan, linggo-linggo"),
    (&[By(AskedBy::Month)], "monthly, buwanan, buwan-buwan"),
    // Comparisons.
    (
        &[Versus],
        "vs, versus, against, compared to, compared with, than, kumpara, kumpara sa, kompara sa, \
         laban sa, kaysa, kaysa sa",
    ),
    (
        &[Against(AskedAgainst::YearBefore)],
        "year on year, year over year, yoy, a year ago, a year before, the year before",
    ),
    (
        &[Against(AskedAgainst::Before)],
        "week on week, month on month, wow, mom, the previous period, previous period, the week before, \
         the month before",
    ),
    // Days.
    (
        &[On(When::Ago(0))],
        "today, ngayon, ngayong araw, ngayong umaga, ngayong hapon, ngayong gabi, kanina, kaninang umaga",
    ),
    (&[On(When::Ago(1))], "yesterday, last night, kahapon, kagabi"),
    (
        &[On(When::Ago(2))],
        "the day before yesterday, day before yesterday, noong isang araw, nung isang araw, kamakalawa",
    ),
    (&[On(When::Ago(-1))], "tomorrow, bukas"),
    (&[On(When::Range("this-week"))], "this week, ngayong linggo, nitong linggo"),
    (
        &[On(When::Range("last-week"))],
        "last week, previous week, nakaraang linggo, nagdaang linggo, noong isang linggo, nung isang linggo",
    ),
    (&[On(When::Range("last-4-weeks"))], "last 4 weeks, last four weeks, nakaraang apat na linggo"),
    (&[On(When::Range("last-13-weeks"))], "last 13 weeks, last quarter, nakaraang quarter"),
    (&[On(When::Range("this-month"))], "this month, ngayong buwan, nitong buwan"),
    (
        &[On(When::Range("last-month"))],
        "last month, previous month, nakaraang buwan, nagdaang buwan, noong isang buwan, nung isang buwan",
    ),
    (&[On(When::Range("this-year"))], "this year, ngayong taon, nitong taon"),
    (
        &[On(When::Range("last-year"))],
        "last year, previous year, nakaraang taon, nagdaang taon, noong isang taon, nung isang taon",
    ),
    (&[On(When::NextWeek)], "next week, susunod na linggo, sa isang linggo"),
    (&[On(When::Weekday(0))], "monday, mondays, mon, lunes"),
    (&[On(When::Weekday(1))], "tuesday, tuesdays, tue, tues, martes"),
    (&[On(When::Weekday(2))], "wednesday, wednesdays, wed, miyerkules, miyerkoles"),
    (&[On(When::Weekday(3))], "thursday, thursdays, thu, thur, thurs, huwebes"),
    (&[On(When::Weekday(4))], "friday, fridays, fri, biyernes"),
    (&[On(When::Weekday(5))], "saturday, saturdays, sat, sabado"),
    (&[On(When::Weekday(6))], "sunday, sundays, sun, linggo"),
    (&[On(When::Month(1))], "january, jan, enero"),
    (&[On(When::Month(2))], "february, feb, pebrero"),
    (&[On(When::Month(3))], "march, mar, marso"),
    (&[On(When::Month(4))], "april, apr, abril"),
    (&[On(When::Month(5))], "may, noong mayo, buwan ng mayo, nitong mayo"),
    (&[On(When::MonthOfDate(5))], "mayo"),
    (&[On(When::Month(6))], "june, jun, hunyo"),
    (&[On(When::Month(7))], "july, jul, hulyo"),
    (&[On(When::Month(8))], "august, aug, agosto"),
    (&[On(When::Month(9))], "september, sep, sept, setyembre"),
    (&[On(When::Month(10))], "october, oct, oktubre"),
    (&[On(When::Month(11))], "november, nov, nobyembre"),
    (&[On(When::Month(12))], "december, dec, disyembre"),
    // What adds nothing.
    (
        &[Filler],
        "a, all, all stores, an, and, any, are, at, been, did, do, does, during, for, from, give, had, \
         has, have, how, in, is, it, list, many, me, much, my, of, on, our, overall, please, \
         report, reports, show, soon, still, that, the, their, there, these, this, those, to, total, up, \
         was, we, were, when, where, who, with, yet, s, stores with, ang, ano, ang may, at ang, ay, ba, \
         daw, din, gaano karami, hanggang, ilan, ilang, ito, ka, kay, kami, kaninong, ko, kung, lahat, \
         lahat ng, lahat ng tindahan, lahat ng store, lang, magkano, may ba, mayroon, mayroong, meron, \
         merong, mga, mo, na, namin, natin, naman, nang, nasa, ng, ngayong, ni, nina, nito, nitong, \
         noon, noong, nung, nyo, pa, pala, para, po, rin, sa, si, sila, sina, sino, tayo, yan, yung, \
         ung, yong, kabuuang, kabuuan, paano, pakita, ipakita, bakit, mula, pang",
    ),
];

/// The phrases at the start of these words: what each says, and how many words it takes.
fn phrases(words: &[&str]) -> impl Iterator<Item = (&'static [Meaning], usize)> {
    WORDS.iter().flat_map(move |(meanings, said)| {
        said.split(", ").filter_map(move |phrase| {
            let mut used = 0;
            let begins = phrase.split(' ').all(|word| {
                used += 1;
                words.get(used - 1) == Some(&word)
            });
            begins.then_some((*meanings, used))
        })
    })
}

/// The longest phrase about anything but days.
pub(super) fn longest(words: &[&str]) -> Option<(&'static [Meaning], usize)> {
    phrases(words).filter(|(meanings, _)| !matches!(meanings, [On(_)])).max_by_key(|(_, used)| *used)
}

/// The longest phrase about days.
pub(super) fn when(words: &[&str]) -> Option<(When, usize)> {
    phrases(words)
        .filter_map(|(meanings, used)| match meanings {
            [On(when)] => Some((*when, used)),
            _ => None,
        })
        .max_by_key(|(_, used)| *used)
}

/// A number, 1 to 730, in digits or as a word.
pub(super) fn number(word: &str) -> Option<i32> {
    const NUMBERS: &[&[&str]] = &[
        &["one", "isang"],
        &["two", "dalawang"],
        &["three", "tatlong"],
        &["four", "apat"],
        &["five", "limang"],
        &["six", "anim"],
        &["seven", "pitong"],
        &["eight", "walong"],
        &["nine", "siyam"],
        &["ten", "sampung"],
    ];
    match NUMBERS.iter().position(|words| words.contains(&word)) {
        Some(at) => i32::try_from(at + 1).ok(),
        None => word.parse().ok().filter(|n| (1..=730).contains(n)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Words that are a noun after «per» and something else elsewhere: «per linggo», «benta noong linggo».
    const TWICE: &[&str] = &["linggo"];

    #[test]
    fn a_phrase_says_one_thing() {
        let mut said: HashMap<&str, usize> = HashMap::new();
        for phrase in WORDS.iter().flat_map(|(_, phrases)| phrases.split(", ")) {
            *said.entry(phrase).or_default() += 1;
            assert_eq!(phrase, phrase.trim().to_lowercase(), "as it is compared");
        }
        let twice: Vec<_> = said.into_iter().filter(|(word, n)| *n > 1 && !TWICE.contains(word)).collect();
        assert_eq!(twice, []);
    }
}
