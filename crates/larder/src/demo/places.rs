//! Where the group trades: areas, formats and the stores, as tables of text.

/// Regional areas; the letter tells which storms reach them (Luzon, Visayas, Mindanao).
pub const REGIONS: &[(&str, char)] = &[
    ("Metro Manila", 'L'),
    ("Central Luzon", 'L'),
    ("CALABARZON", 'L'),
    ("Cordillera", 'L'),
    ("Western Visayas", 'V'),
    ("Central Visayas", 'V'),
    ("Northern Mindanao", 'M'),
    ("Davao Region", 'M'),
];

/// Operational areas: code, name, code of the area above.
pub const AREAS: &[(&str, &str, &str)] = &[
    ("NAT", "National", ""),
    ("LUZ", "Luzon", "NAT"),
    ("VIS", "Visayas", "NAT"),
    ("MIN", "Mindanao", "NAT"),
    ("MM1", "Makati and Taguig", "LUZ"),
    ("MM2", "Ortigas and Mandaluyong", "LUZ"),
    ("MM3", "Quezon City", "LUZ"),
    ("MM4", "Manila Bay", "LUZ"),
    ("MM5", "South Metro", "LUZ"),
    ("NLZ", "North Luzon", "LUZ"),
    ("SLZ", "South Luzon", "LUZ"),
    ("CEB", "Cebu", "VIS"),
    ("ILO", "Panay and Negros", "VIS"),
    ("DVO", "Davao", "MIN"),
    ("CDO", "Cagayan de Oro", "MIN"),
];

/// Store formats, and how much of the menu each can cook: all, express or kiosk.
pub const FORMATS: &[(&str, Menu)] = &[
    ("Flagship restaurant", Menu::All),
    ("Mall restaurant", Menu::All),
    ("Street restaurant", Menu::All),
    ("Food court counter", Menu::Express),
    ("Office express", Menu::Express),
    ("Kiosk", Menu::Kiosk),
];

/// How much of the menu a format cooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Menu {
    /// Drinks, snacks and sweets.
    Kiosk,
    /// Without what takes a table or a sizzling plate.
    Express,
    /// Everything.
    All,
}

/// Price levels that stores buy at.
pub const PRICE_LEVELS: &[&str] = &["Metro Manila", "Provincial Luzon", "Visayas and Mindanao"];

/// Who lets a mall's spaces.
const LESSORS: &[&str] = &[
    "Luntian Properties, Inc.",
    "Baywalk Malls Corporation",
    "Sampaguita Land Holdings",
    "Tres Islas Realty, Inc.",
    "Habagat Commercial Centers",
];

/// How the days of a week differ at a store: by who passes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crowd {
    /// Shoppers.
    Mall,
    /// Office people.
    Office,
    /// Neighbours.
    Street,
    /// Students.
    Campus,
    /// Travellers.
    Transit,
}

/// A store before it has an id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Short code.
    pub code: &'static str,
    /// Name.
    pub name: &'static str,
    /// Street address.
    pub street: &'static str,
    /// City.
    pub city: &'static str,
    /// Province.
    pub province: &'static str,
    /// Postal code.
    pub postal: &'static str,
    /// Place in [`REGIONS`].
    pub region: usize,
    /// Code of an operational area.
    pub area: &'static str,
    /// Place in [`FORMATS`].
    pub format: usize,
    /// Who passes.
    pub crowd: Crowd,
    /// Floor area.
    pub square_metres: i64,
    /// Seats.
    pub seats: i64,
    /// Receipts on an ordinary day.
    pub receipts: i64,
    /// Who lets it, if it is let by a mall.
    pub lessor: Option<&'static str>,
    /// Opened or closed within the time the demo covers.
    pub story: Story,
}

/// What became of a store in the time the demo covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Story {
    /// Open all the time.
    Steady,
    /// Opened after a third of it.
    Opened,
    /// Gave up after two thirds of it.
    Closed,
}

impl Place {
    /// Which storms reach it.
    pub fn island(&self) -> char {
        REGIONS[self.region].1
    }

    /// How much of the menu it cooks.
    pub fn menu(&self) -> Menu {
        FORMATS[self.format].1
    }

    /// Place of its price level.
    pub fn price_level(&self) -> usize {
        match (self.region, self.island()) {
            (0, _) => 0,
            (_, 'L') => 1,
            _ => 2,
        }
    }
}

/// The first stores of the group and the one it gave up, so that a small demo has all regions and stories.
pub fn places(count: usize) -> Vec<Place> {
    let all: Vec<Place> = STORES.lines().filter_map(place).collect();
    let (closed, open): (Vec<_>, Vec<_>) = all.into_iter().partition(|place| place.story == Story::Closed);
    open.into_iter().take(count).chain(closed.into_iter().take(count.div_ceil(20))).collect()
}

fn place(line: &'static str) -> Option<Place> {
    let mut fields = line.split('|').map(str::trim);
    let mut next = || fields.next();
    let (code, name, street, city, province, postal) = (next()?, next()?, next()?, next()?, next()?, next()?);
    let (region, area, format, crowd) = (next()?.parse().ok()?, next()?, next()?.parse().ok()?, next()?);
    let mut number = || next()?.parse::<i64>().ok();
    let (square_metres, seats, receipts) = (number()?, number()?, number()?);
    let lessor = next()?.parse::<usize>().ok().and_then(|at| LESSORS.get(at).copied());
    let crowd = match crowd {
        "mall" => Crowd::Mall,
        "office" => Crowd::Office,
        "campus" => Crowd::Campus,
        "transit" => Crowd::Transit,
        _ => Crowd::Street,
    };
    let story = match next()? {
        "opened" => Story::Opened,
        "closed" => Story::Closed,
        _ => Story::Steady,
    };
    Some(Place {
        code,
        name,
        street,
        city,
        province,
        postal,
        region,
        area,
        format,
        crowd,
        square_metres,
        seats,
        receipts,
        lessor,
        story,
    })
}

/// code | name | street | city | province | postal code | region | area | format | crowd | m² | seats | receipts |
/// lessor or - | story
const STORES: &str = "\
MKT01|Makati Legazpi|112 Legazpi Street, Legazpi Village|Makati|Metro Manila|1229|0|MM1|2|office|210|92|330|-|steady
PSG01|Ortigas Pavilion|Level 2, Ortigas Pavilion, San Miguel Avenue|Pasig|Metro Manila|1605|0|MM2|1|mall|185|84|310|0|steady
QZC01|Katipunan|327 Katipunan Avenue, Loyola Heights|Quezon City|Metro Manila|1108|0|MM3|2|campus|160|70|270|-|steady
PSY01|Bay Promenade|Ground Floor, Bay Promenade, Diokno Boulevard|Pasay|Metro Manila|1300|0|MM4|0|mall|320|148|420|1|steady
CEB01|Cebu IT Park|Abad Street, Apas|Cebu City|Cebu|6000|5|CEB|4|office|95|36|240|-|steady
DVO01|Davao Bajada|Level 1, Durian Center, J.P. Laurel Avenue|Davao City|Davao del Sur|8000|7|DVO|1|mall|175|80|250|2|steady
ILO01|Iloilo Esplanade|Riverside Boardwalk, Diversion Road|Iloilo City|Iloilo|5000|4|ILO|3|mall|70|0|190|3|opened
PRQ01|Parañaque Sucat|Dr. A. Santos Avenue, San Dionisio|Parañaque|Metro Manila|1700|0|MM5|5|transit|28|0|150|-|steady
TGG01|Taguig High Street|7th Avenue corner 30th Street|Taguig|Metro Manila|1634|0|MM1|0|mall|290|130|400|4|steady
TGG02|McKinley Express|Two McKinley Place, Upper McKinley Road|Taguig|Metro Manila|1634|0|MM1|4|office|90|30|260|-|steady
MKT02|Makati Salcedo|145 Valero Street, Salcedo Village|Makati|Metro Manila|1227|0|MM1|4|office|105|42|280|-|steady
MKT03|Makati Poblacion|48 Kalayaan Avenue, Poblacion|Makati|Metro Manila|1210|0|MM1|2|street|150|66|230|-|steady
MND01|Mandaluyong Crossing|Level 3, Crossing Center, EDSA|Mandaluyong|Metro Manila|1550|0|MM2|3|transit|80|0|340|1|steady
MND02|Shaw Boulevard|520 Shaw Boulevard, Wack-Wack|Mandaluyong|Metro Manila|1552|0|MM2|2|street|170|74|240|-|steady
SJN01|San Juan Greenhills|Annapolis Street, Greenhills|San Juan|Metro Manila|1502|0|MM2|1|mall|165|76|255|0|steady
PSG02|Kapitolyo|21 West Capitol Drive, Kapitolyo|Pasig|Metro Manila|1603|0|MM2|2|street|140|60|205|-|steady
QZC02|Tomas Morato|83 Tomas Morato Avenue, South Triangle|Quezon City|Metro Manila|1103|0|MM3|2|street|195|88|265|-|steady
QZC03|North Triangle|Level 1, North Annex Walk, North Avenue|Quezon City|Metro Manila|1105|0|MM3|1|mall|180|82|345|2|steady
QZC04|Fairview Regalado|Upper Ground, Regalado Terraces, Quirino Highway|Quezon City|Metro Manila|1118|0|MM3|3|mall|75|0|260|3|steady
QZC05|Eastwood Walk|Orchard Road, Bagumbayan|Quezon City|Metro Manila|1110|0|MM3|2|office|155|68|235|-|steady
MNL01|España|1210 España Boulevard, Sampaloc|Manila|Metro Manila|1015|0|MM4|2|campus|135|58|300|-|steady
MNL02|Ermita|456 Padre Faura Street, Ermita|Manila|Metro Manila|1000|0|MM4|1|mall|160|72|245|1|steady
PSY02|Airport Link|Terminal Link Road, Newport|Pasay|Metro Manila|1309|0|MM4|5|transit|32|0|210|4|opened
MNT01|Alabang Commerce|Level 2, Commerce Center, Commerce Avenue|Muntinlupa|Metro Manila|1781|0|MM5|0|mall|260|118|330|0|steady
LPN01|Las Piñas Southgate|Ground Floor, Southgate Center, Alabang-Zapote Road|Las Piñas|Metro Manila|1740|0|MM5|3|mall|72|0|225|3|steady
PMP01|Angeles Balibago|Francisco G. Nepomuceno Avenue|Angeles|Pampanga|2009|1|NLZ|1|mall|175|78|215|2|steady
BUL01|Malolos Crossing|MacArthur Highway, Sumapang Matanda|Malolos|Bulacan|3000|1|NLZ|2|street|150|64|180|-|steady
BGO01|Baguio Session Road|57 Session Road|Baguio|Benguet|2600|3|NLZ|2|street|165|72|260|-|steady
CAV01|Bacoor Boulevard|Level 1, Bacoor Boulevard Mall, Molino Road|Bacoor|Cavite|4102|2|SLZ|1|mall|170|78|230|3|steady
LAG01|Santa Rosa|Tagaytay Road corner Greenfield Parkway|Santa Rosa|Laguna|4026|2|SLZ|2|street|205|90|245|-|steady
LAG02|Los Baños|Lopez Avenue, Batong Malake|Los Baños|Laguna|4031|2|SLZ|2|campus|120|52|185|-|steady
BTG01|Lipa Junction|Ayala Highway, Mataas na Lupa|Lipa|Batangas|4217|2|SLZ|3|mall|68|0|175|2|opened
CEB02|Cebu Mango Avenue|General Maxilom Avenue|Cebu City|Cebu|6000|5|CEB|2|street|180|80|260|-|steady
CEB03|Mandaue North Road|Ouano Avenue, City South Economic District|Mandaue|Cebu|6014|5|CEB|1|mall|165|76|235|3|steady
CEB04|Mactan Gateway|Airport Road, Pusok|Lapu-Lapu|Cebu|6015|5|CEB|5|transit|30|0|165|4|steady
ILO02|Iloilo Molo|M.H. del Pilar Street, Molo|Iloilo City|Iloilo|5000|4|ILO|2|street|140|60|175|-|steady
BCD01|Bacolod Lacson|Lacson Street, Mandalagan|Bacolod|Negros Occidental|6100|4|ILO|2|street|170|76|215|-|steady
DVO02|Davao Ecoland|Quimpo Boulevard, Ecoland|Davao City|Davao del Sur|8000|7|DVO|3|mall|74|0|200|2|steady
DVO03|Davao Roxas|Roxas Avenue, Poblacion|Davao City|Davao del Sur|8000|7|DVO|2|campus|145|62|195|-|steady
CDO01|Cagayan de Oro Divisoria|Tirso Neri Street, Divisoria|Cagayan de Oro|Misamis Oriental|9000|6|CDO|1|mall|168|74|205|3|steady
QZC06|Cubao Aurora|Level 2, Aurora Arcade, General Roxas Avenue|Quezon City|Metro Manila|1109|0|MM3|3|mall|66|0|165|1|closed
CLB01|Calamba Crossing|National Highway, Crossing|Calamba|Laguna|4027|2|SLZ|2|street|130|56|140|-|closed";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_line_is_a_store() {
        let full = places(40);
        assert_eq!(full.len(), STORES.lines().count());
        assert_eq!(full.iter().filter(|p| p.story != Story::Closed).count(), 40);
        for part in [|p: &Place| p.code, |p: &Place| p.name] {
            assert_eq!(full.iter().map(part).collect::<HashSet<_>>().len(), full.len());
        }
        assert!(full.iter().all(|p| p.region < REGIONS.len() && p.format < FORMATS.len()));
        assert!(full.iter().all(|p| AREAS.iter().any(|area| area.0 == p.area)));
    }

    #[test]
    fn a_few_stores_show_every_island_and_story() {
        let small = places(8);
        assert_eq!(small.len(), 9);
        for island in ['L', 'V', 'M'] {
            assert!(small.iter().any(|p| p.island() == island));
        }
        for story in [Story::Steady, Story::Opened, Story::Closed] {
            assert!(small.iter().any(|p| p.story == story));
        }
    }
}
