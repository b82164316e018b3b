//! The companies of the group with their papers, and the kitchens, warehouses and cold stores between which
//! stock lies.

use larder_db::{Change, ChangeAction};
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::{BusinessDay, Timestamp};
use larder_server::http::ApiError;
use larder_server::lists::catalog::{ColdStorage, Commissary, Company, Warehouse};
use serde_json::{Value, json};

use super::author::{Author, moment};
use super::demand::World;
use super::masters::set_up;
use super::queries::{self, Paper};

/// Where products lie.
#[derive(Debug, Clone)]
pub struct Houses {
    /// The main kitchen, the default commissary.
    pub kitchen: Place,
    /// The kitchen that cooks for the Visayas and Mindanao.
    pub second_kitchen: Place,
    /// Dry goods and packaging.
    pub warehouse: Place,
    /// What is frozen.
    pub cold_store: Place,
}

/// Head office files the papers.
const CLERK: usize = 1;

/// Which of [`COMPANIES`] runs the stores of an island, by its letter.
pub fn company_of(island: char) -> usize {
    if island == 'L' { 0 } else { 2 }
}

/// name | legal name | business type | industry | TIN | street | city | province | postal code | phone | email
const COMPANIES: &str = "\
Hapag Kanto Foods|Hapag Kanto Foods, Inc.|Corporation|Restaurants|009-812-455-000|8/F Salcedo Corner, Dela Rosa Street|Makati|Metro Manila|1227|(02) 8555 0400|office@hapagkanto.example
Hapag Kanto Commissary|Hapag Kanto Commissary Services, Inc.|Corporation|Food manufacturing|009-812-871-000|Lot 4, Pasig Food Terminal, Eulogio Amang Rodriguez Avenue|Pasig|Metro Manila|1611|(02) 8555 0410|commissary@hapagkanto.example
Islas Kitchens|Islas Kitchens Visayas and Mindanao Corporation|Corporation|Restaurants|010-344-206-000|2/F Lapu-Lapu Street corner Colon|Cebu City|Cebu|6000|(032) 555 0420|islas@hapagkanto.example
";

/// Enters the companies and answers their ids in order.
pub async fn companies(author: &mut Author<'_>, world: &World) -> Result<Vec<String>, ApiError> {
    let bodies = COMPANIES.lines().map(|line| {
        let mut fields = line.split('|');
        let mut next = || fields.next().unwrap_or_default();
        json!({
            "name": next(),
            "legalBusinessName": next(),
            "businessType": next(),
            "industry": next(),
            "tin": next(),
            "streetAddress": next(),
            "city": next(),
            "province": next(),
            "postalCode": next(),
            "phone": next(),
            "email": next(),
            "website": "https://hapagkanto.example",
            "country": "Philippines",
        })
    });
    let ids = author.add::<Company>(moment(set_up(world), 8, 20), bodies.collect()).await?;
    for (nth, (company, kind, title, number, issued, expires)) in papers(world).into_iter().enumerate() {
        let day = set_up(world).plus(1).max(issued.plus(3));
        let at = moment(day, 11, i64::try_from(nth).unwrap_or(0) * 4);
        let company_id = ids[company].clone();
        let paper = Paper { id: author.id(at), company_id, kind, title, number, issued, expires };
        let legal = COMPANIES.lines().nth(company).and_then(|line| line.split('|').nth(1));
        file(author, &paper, legal.unwrap_or_default(), at).await?;
    }
    Ok(ids)
}

type Particulars = (usize, &'static str, &'static str, &'static str, BusinessDay, Option<BusinessDay>);

/// Company, kind, title, number, when issued and until when good: one runs out soon, one has run out.
fn papers(world: &World) -> Vec<Particulars> {
    let (last, old) = (world.last, world.first.plus(-1900));
    let year = |until: BusinessDay| (until.plus(-364), Some(until));
    let with = |of, kind, title, number, (issued, expires)| (of, kind, title, number, issued, expires);
    vec![
        with(0, "dtiSec", "SEC certificate of incorporation", "CS201508124", (old, None)),
        with(0, "bir", "BIR certificate of registration (2303)", "8RC0000412873", (old.plus(31), None)),
        with(0, "mayorPermit", "Mayor's permit, Makati", "M-04471", year(last.plus(18))),
        with(0, "other", "Fire safety inspection certificate", "FSIC-R-20418", year(last.plus(120))),
        with(1, "dtiSec", "SEC certificate of incorporation", "CS201603377", (old.plus(210), None)),
        with(1, "bir", "BIR certificate of registration (2303)", "43RC000077120", (old.plus(245), None)),
        with(1, "mayorPermit", "Mayor's permit, Pasig", "BP-2210-88", year(last.plus(160))),
        with(1, "other", "FDA licence to operate, food manufacturer", "LTO-30001", year(last.plus(-12))),
        with(2, "dtiSec", "SEC certificate of incorporation", "CS201811902", (old.plus(960), None)),
        with(2, "mayorPermit", "Mayor's permit, Cebu City", "CEB-19-00312", year(last.plus(145))),
    ]
}

/// Stores a paper's file and its particulars.
async fn file(author: &Author<'_>, paper: &Paper, legal: &str, at: Timestamp) -> Result<(), ApiError> {
    let until = paper.expires.map_or_else(|| "until revoked".to_owned(), |day| day.display());
    let bytes = pdf(
        paper.title,
        &[
            format!("Issued to: {legal}"),
            format!("Number: {}", paper.number),
            format!("Date of issue: {}", paper.issued.display()),
            format!("Valid: {until}"),
            String::new(),
            "A specimen for demonstration, without any effect.".to_owned(),
        ],
    );
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    author.state.files.put(&paper.file_key(), bytes.into()).await?;
    let change = &Change {
        kind: "companyDocument",
        id: paper.id.clone(),
        store_id: None,
        action: ChangeAction::Created,
        before: None,
        after: Some(paper.recorded()),
    };
    let actor = author.actor(CLERK, at);
    let written = author.state.db.write(&actor, async |tx| {
        queries::add_paper(tx, paper, size).await?;
        tx.record(change.clone()).await
    });
    Ok(written.await?)
}

/// A page of text as a PDF file: letters of Latin 1, one of the fonts every reader has.
fn pdf(title: &str, lines: &[String]) -> Vec<u8> {
    let shown = |text: &str| -> String {
        text.chars()
            .filter(|c| u32::from(*c) < 256)
            .flat_map(|c| match c {
                '(' | ')' | '\\' => vec!['\\', c],
                _ => vec![c],
            })
            .collect()
    };
    let mut page = format!("BT /F1 20 Tf 72 740 Td ({}) Tj /F1 12 Tf 0 -18 Td", shown(title));
    for line in lines {
        page.push_str(&format!(" 0 -22 Td ({}) Tj", shown(line)));
    }
    page.push_str(" ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
         /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{page}\nendstream", page.chars().count()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let mut text = "%PDF-1.4\n".to_owned();
    let mut index = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (nth, object) in objects.iter().enumerate() {
        index.push_str(&format!("{:010} 00000 n \n", text.chars().count()));
        text.push_str(&format!("{} 0 obj\n{object}\nendobj\n", nth + 1));
    }
    let start = text.chars().count();
    let end = format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n", objects.len() + 1);
    // One byte a character: places are counted in bytes.
    format!("{text}{index}{end}").chars().filter_map(|c| u8::try_from(u32::from(c)).ok()).collect()
}

/// Enters kitchens, warehouses and cold stores.
pub async fn load(author: &mut Author<'_>, world: &World, companies: &[String]) -> Result<Houses, ApiError> {
    let day = set_up(world).plus(1);
    let kitchens = COMMISSARIES.iter().zip([1, 2]).map(|(house, company)| {
        let mut body = house.body();
        body["companyId"] = json!(companies[company]);
        body["isDefault"] = json!(company == 1);
        body
    });
    let kitchens = author.add::<Commissary>(moment(day, 13, 10), kitchens.collect()).await?;
    let bodies = |houses: &[House]| houses.iter().map(House::body).collect();
    let warehouses = author.add::<Warehouse>(moment(day, 13, 30), bodies(WAREHOUSES)).await?;
    let cold = author.add::<ColdStorage>(moment(day, 13, 45), bodies(COLD_STORES)).await?;
    let place = |kind, ids: &[String], at: usize| Place { kind, id: ids[at].clone() };
    Ok(Houses {
        kitchen: place(PlaceKind::Commissary, &kitchens, 0),
        second_kitchen: place(PlaceKind::Commissary, &kitchens, 1),
        warehouse: place(PlaceKind::Warehouse, &warehouses, 0),
        cold_store: place(PlaceKind::ColdStorage, &cold, 0),
    })
}

/// A house: name, street, city, province, contact person, phone.
struct House(&'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

impl House {
    fn body(&self) -> Value {
        let Self(name, street, city, province, contact, phone) = self;
        json!({
            "name": name, "streetAddress": street, "city": city, "province": province,
            "country": "Philippines", "contactPerson": contact, "phone": phone,
        })
    }
}

const COMMISSARIES: &[House] = &[
    House(
        "Pasig commissary",
        "Lot 4, Pasig Food Terminal",
        "Pasig",
        "Metro Manila",
        "Ramon Bautista",
        "(02) 8555 0411",
    ),
    House(
        "Mandaue commissary",
        "Plaridel Street, Alang-Alang",
        "Mandaue",
        "Cebu",
        "Inday Ceniza",
        "(032) 555 0421",
    ),
];

const WAREHOUSES: &[House] = &[
    House(
        "Taguig dry warehouse",
        "Arca South, East Service Road",
        "Taguig",
        "Metro Manila",
        "Bong Cabrera",
        "(02) 8555 0431",
    ),
    House(
        "Talisay overflow warehouse",
        "South Road Properties",
        "Talisay",
        "Cebu",
        "Inday Ceniza",
        "(032) 555 0432",
    ),
];

const COLD_STORES: &[House] = &[
    House(
        "Parañaque cold store",
        "Km 18 West Service Road",
        "Parañaque",
        "Metro Manila",
        "Ric Fernandez",
        "(02) 8555 0301",
    ),
    House(
        "Mandaue blast freezer",
        "Plaridel Street, Alang-Alang",
        "Mandaue",
        "Cebu",
        "Inday Ceniza",
        "(032) 555 0422",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_is_a_file_that_says_where_its_parts_are() {
        let bytes = pdf("Mayor's permit (Parañaque)", &["Number: 1".to_owned()]);
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
        let start: usize = text.lines().rev().nth(1).and_then(|line| line.parse().ok()).expect("a place");
        let index = &text[text.char_indices().nth(start).expect("inside").0..];
        assert!(index.starts_with("xref\n0 6\n"), "{index}");
        for (nth, line) in index.lines().skip(3).take(5).enumerate() {
            let at: usize = line[..10].parse().expect("a place");
            assert!(bytes[at..].starts_with(format!("{} 0 obj", nth + 1).as_bytes()), "{line}");
        }
        assert!(text.contains("(Mayor's permit \\(Parañaque\\))"));
    }
}
