//! Whom the group buys from, a line a supplier; some as hastily typed as people type.

use larder_server::http::ApiError;
use larder_server::lists::catalog::Supplier;
use serde_json::{Value, json};

use super::author::{Author, moment};
use super::chance::{Chance, key};
use super::demand::World;
use super::masters::set_up;

/// Head office looks after the suppliers.
const BUYER: usize = 1;

/// Enters the suppliers; the one that was entered twice comes weeks after the others.
pub async fn load(author: &mut Author<'_>, world: &World) -> Result<(), ApiError> {
    let bodies: Vec<Value> = SUPPLIERS.lines().map(|line| body(world, line)).collect();
    let (first, late) = bodies.split_at(bodies.len() - 1);
    let day = set_up(world).plus(1);
    author.add_as::<Supplier>(BUYER, moment(day, 9, 40), first.to_vec()).await?;
    author.add_as::<Supplier>(3, moment(world.last.plus(-17), 16, 5), late.to_vec()).await?;
    Ok(())
}

fn body(world: &World, line: &'static str) -> Value {
    let mut fields = line.split('|').map(str::trim);
    let mut next = || fields.next().filter(|text| !text.is_empty());
    let (name, contact, phone, email) = (next(), next(), next(), next());
    let (street, city, province, terms) = (next(), next(), next(), next());
    let (category, notes) = (next(), next());
    let mut chance = Chance::of(world.seed, &[key("supplier"), key(name.unwrap_or_default())]);
    let mut digits = |count: usize| -> String {
        (0..count).map(|_| char::from(b'0' + u8::try_from(chance.below(10)).unwrap_or(0))).collect()
    };
    let (first_name, last_name) = contact.and_then(|who| who.rsplit_once(' ')).unzip();
    let tax_id = format!("{}-{}-{}-000", digits(3), digits(3), digits(3));
    let mobile = format!("0917 {} {}", digits(3), digits(4));
    // Nobody owes what is paid on delivery.
    let owed = terms.filter(|terms| terms.contains("days")).map(|_| 5_000 + 250 * chance.below(400));
    json!({
        "name": name,
        "firstName": first_name,
        "lastName": last_name,
        "companyName": name,
        "contactPerson": contact,
        "phone": phone,
        "mobileNumber": mobile,
        "email": email,
        "streetAddress": street,
        "city": city,
        "province": province,
        "country": "Philippines",
        "taxId": tax_id,
        "paymentTerms": terms,
        "expenseCategory": category,
        "notes": notes,
        "openingBalance": owed,
        "openingBalanceDate": owed.map(|_| world.first.month()),
    })
}

/// name | contact | phone | email | street | city | province | terms | expense category | notes
const SUPPLIERS: &str = "\
Sampaloc Fields Poultry Corporation|Teresa Aquino|(02) 8555 0101|orders@sampalocfields.example|Quirino Highway|Quezon City|Metro Manila|30 days|Food cost|Delivers before 05:00, dock 2
San Rafael Hog Raisers Cooperative|Benjie Salvador|(044) 555 0112|sales@sanrafaelhogs.example|Cagayan Valley Road|San Rafael|Bulacan|15 days|Food cost|
Batangas Beef Traders|Rowena Katigbak|(043) 555 0123|rowena@batangasbeef.example|Ayala Highway|Lipa|Batangas|30 days|Food cost|
Navotas Seafood Consignacion|Dodong Lim|(02) 8555 0134||Fish Port Complex|Navotas|Metro Manila|Cash on delivery|Food cost|Price changes daily; call at 02:00
General Santos Tuna Exchange|Aileen Bautista|(083) 555 0145|export@gensantuna.example|Tambler Road|General Santos|South Cotabato|15 days|Food cost|
Dagupan Bangus Growers|Ferdie Soriano|(075) 555 0156|growers@dagupanbangus.example|Bonuan Gueset|Dagupan|Pangasinan|15 days|Food cost|
Benguet Highland Vegetables|Josie Pacio|(074) 555 0167|highland@benguetveg.example|Trading Post, Km 5|La Trinidad|Benguet|7 days|Food cost|No deliveries when Kennon Road is closed
Divisoria Fresh Produce|Nards Villareal|(02) 8555 0178||Juan Luna Street|Manila|Metro Manila|COD|Food cost|
Nueva Ecija Grain Millers, Inc.|Corazon Mendiola|(044) 555 0189|sales@negrain.example|Maharlika Highway|Cabanatuan|Nueva Ecija|30 days|Food cost|
Visayas Sugar Central Sales|Rico Montelibano|(034) 555 0190|desk@visugar.example|Reclamation Area|Bacolod|Negros Occidental|30 days|Food cost|
Laguna Layer Farms|Mila Fandiño|(049) 555 0201|eggs@lagunalayers.example|Barangay Banlic|Calamba|Laguna|15 days|Food cost|
Southern Dairy Distributors|Anton Reyes|(02) 8555 0212|orders@southerndairy.example|East Service Road|Muntinlupa|Metro Manila|Net 30|Food cost|
Golden Crown Noodles|Wilson Tan|(02) 8555 0223|wilson@goldencrown.example|Mayhaligue Street|Manila|Metro Manila|30 days|Food cost|
Silver Carp Sauces Manufacturing|Grace Ong|(02) 8555 0234|orders@silvercarp.example|C-4 Road|Malabon|Metro Manila|45 days|Food cost|
Malabon Ice Plant and Cold Storage|Danny Roxas|(02) 8555 0245||Letre Road|Malabon|Metro Manila|7 days|Beverage cost|
Cordillera Coffee Growers|Hilda Dumapis|(074) 555 0256|beans@cordicoffee.example|Session Road|Baguio|Benguet|15 days|Beverage cost|
Tres Bottlers, Inc.|Cesar Uy|(02) 8555 0267|key.accounts@tresbottlers.example|Sucat Road|Parañaque|Metro Manila|30 days|Beverage cost|
Luntian Paper Packaging|Joy Evangelista|(046) 555 0278|joy@luntianpaper.example|FCIE Compound|Dasmariñas|Cavite|30 days|Packaging cost|Printed cups need six weeks
Packmate Trading|Alvin Chua|(02) 8555 0289|sales@packmate.example|T. Alonzo Street|Manila|Metro Manila|15 days|Packaging cost|
Kalinis Chemical Supply|Marites Go|(02) 8555 0290|orders@kalinis.example|Mindanao Avenue|Quezon City|Metro Manila|30 days|Cleaning supplies|Safety data sheets are with the commissary
Habagat Cold Chain Logistics|Ric Fernandez|(02) 8555 0301|dispatch@habagatcold.example|Km 18 West Service Road|Parañaque|Metro Manila|30 days|Freight in and cold chain|
Cebu Lechon and Meats|Vicky Alcoseba|(032) 555 0312|meats@cebulechon.example|A.S. Fortuna Street|Mandaue|Cebu|15 days|Food cost|
Mindanao Fruit Packers|Boy Lacson|(082) 555 0323|desk@minfruit.example|Diversion Road|Davao City|Davao del Sur|15 days|Food cost|
Dizon Trading|Jun Dizon|0918 555 0177|jun.dizon@supplier.example|Rizal Avenue|Manila|Metro Manila|30 days|Food cost|
Nueva Ecija Grain Milers Inc|Cora Mendiola|044-555-0189||Maharlika Hwy|Cabanatuan City|Nueva Ecija|30 days||
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_supplier() {
        assert_eq!(SUPPLIERS.lines().count(), 25);
        assert!(SUPPLIERS.lines().all(|line| line.matches('|').count() == 9));
    }
}
