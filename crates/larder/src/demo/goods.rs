//! What the commissary makes and stocks, a line a product, and how it is packed.

use larder_domain::{Money, Qty};

/// How something is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// What lines call it.
    pub code: &'static str,
    /// Said behind the name.
    pub suffix: &'static str,
    /// The unit it is counted in.
    pub base: &'static str,
    /// The unit stores order in.
    pub selling: &'static str,
    /// `case=10pack pack=1kg`: one case is ten packs, one pack a kilogram.
    pub conversions: &'static str,
    /// Kilograms, litres or pieces in a base unit.
    pub amount: &'static str,
    /// Base units in a selling unit.
    pub each: i64,
}

/// A product before it has an id.
#[derive(Debug, Clone, Copy)]
pub struct Good {
    /// Its section.
    pub section: Section,
    /// Its place among the products, which its SKU counts by.
    pub number: usize,
    /// Which of the forms of its line it is.
    pub nth_form: usize,
    /// Name without how it is packed; of the root item when empty.
    pub name: &'static str,
    /// Code of the root item it counts for; empty when for none.
    pub root: &'static str,
    /// How it is packed.
    pub form: Form,
    /// Pesos of one kilogram, litre or piece; what the root item says when empty.
    pub price: &'static str,
    /// Letters, explained at [`GOODS`].
    pub flags: &'static str,
}

/// What the products of a section have in common.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// Category.
    pub category: &'static str,
    /// Beginning of the SKUs.
    pub prefix: &'static str,
    /// Product type.
    pub product_type: &'static str,
    /// Food type.
    pub food_type: &'static str,
    /// Storage requirement.
    pub storage: &'static str,
    /// Days it keeps; 0 for ever.
    pub shelf_life: i64,
    /// Numbers of the inventory and expense accounts.
    pub accounts: (&'static str, &'static str),
    /// Thousandths of a cubic metre that a kilogram takes.
    pub litres: i64,
}

impl Good {
    /// Whether a letter stands at it.
    pub fn is(&self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// Its code.
    pub fn sku(&self) -> String {
        format!("{}-{:04}", self.section.prefix, self.number * 10 + self.nth_form + 1)
    }

    /// Kilograms, litres or pieces in a base unit.
    pub fn amount(&self) -> Qty {
        Qty::parse(self.form.amount).unwrap_or_default()
    }

    /// Pesos of one kilogram, litre or piece, where the line says so.
    pub fn own_price(&self) -> Option<Money> {
        Money::parse(self.price).ok()
    }

    /// What lies in stock; services and what is used up at once do not.
    pub fn is_stocked(&self) -> bool {
        !self.is('s') && !self.is('n')
    }
}

/// `count` of the products: all of them, or some of every section, each in its first form and those first that
/// something is special about.
pub fn goods(count: usize) -> Vec<Good> {
    let all = every();
    if count >= all.len() {
        return all;
    }
    let firsts: Vec<Good> = all.iter().filter(|good| good.nth_form == 0).copied().collect();
    let wanted = count.min(firsts.len());
    let ordinary = |good: &&Good| match good.flags {
        "" => 2,
        "p" => 1,
        _ => 0,
    };
    let slots = (0..wanted).map(|nth| nth * firsts.len() / wanted..(nth + 1) * firsts.len() / wanted);
    slots.filter_map(|slot| firsts[slot].iter().min_by_key(ordinary).copied()).collect()
}

fn every() -> Vec<Good> {
    let mut all: Vec<Good> = Vec::new();
    let mut section = None;
    let mut number = 0;
    for line in GOODS.lines() {
        let mut fields = line.split('|').map(str::trim);
        let mut next = || fields.next().unwrap_or_default();
        if let Some(category) = line.strip_prefix("# ").and_then(|title| title.split('|').next()) {
            let _title = next();
            section = Some(Section {
                category,
                prefix: next(),
                product_type: next(),
                food_type: next(),
                storage: next(),
                shelf_life: next().parse().unwrap_or(0),
                accounts: (next(), next()),
                litres: next().parse().unwrap_or(2),
            });
            number = 0;
            continue;
        }
        let (root, forms, name, price, flags) = (next(), next(), next(), next(), next());
        let Some(section) = section else { continue };
        number += 1;
        for (nth_form, code) in forms.split_whitespace().enumerate() {
            let Some(form) = FORMS.iter().find(|form| form.code == code).copied() else { continue };
            all.push(Good { section, number, nth_form, name, root, form, price, flags });
        }
    }
    all
}

/// `case=10pack` → case, 10, pack.
pub fn conversions(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    text.split_whitespace().filter_map(|line| {
        let (from, rest) = line.split_once('=')?;
        let (factor, to) = rest.split_at(rest.find(char::is_alphabetic)?);
        Some((from, factor, to))
    })
}

const fn form(
    code: &'static str,
    suffix: &'static str,
    (base, selling, each): (&'static str, &'static str, i64),
    conversions: &'static str,
    amount: &'static str,
) -> Form {
    Form { code, suffix, base, selling, conversions, amount, each }
}

const FORMS: &[Form] = &[
    form("p1", "1 kg pack", ("pack", "pack", 1), "case=10pack pack=1kg kg=1000g", "1"),
    form("p05", "500 g pack", ("pack", "pack", 1), "case=20pack pack=500g", "0.5"),
    form("p2", "2 kg pack", ("pack", "pack", 1), "case=6pack pack=2kg", "2"),
    form("c6", "case of six 2 kg packs", ("pack", "case", 6), "case=6pack pack=2kg", "2"),
    form("b5", "5 kg bag", ("bag", "bag", 1), "bag=5kg kg=1000g", "5"),
    form("s25", "25 kg sack", ("kg", "sack", 25), "sack=25kg kg=1000g", "1"),
    form("s50", "50 kg sack", ("kg", "sack", 50), "sack=50kg", "1"),
    form("kg", "loose", ("kg", "kg", 1), "kg=1000g", "1"),
    form("x10", "10 kg crate", ("kg", "box", 10), "box=10kg kg=1000g", "1"),
    form("t10", "tray of 10", ("pc", "tray", 10), "tray=10pc case=8tray", "1"),
    form("t30", "tray of 30", ("pc", "tray", 30), "tray=30pc case=12tray", "1"),
    form("k20", "pack of 20", ("pc", "pack", 20), "pack=20pc box=12pack", "1"),
    form("k50", "pack of 50", ("pc", "pack", 50), "pack=50pc box=10pack", "1"),
    form("dz", "by the dozen", ("pc", "doz", 12), "doz=12pc", "1"),
    form("l1", "1 L bottle", ("btl", "btl", 1), "case=12btl btl=1L L=1000mL", "1"),
    form("c12", "case of twelve 1 L bottles", ("btl", "case", 12), "case=12btl btl=1L", "1"),
    form("g1", "1 gallon", ("gal", "gal", 1), "case=4gal gal=3.785L", "3.785"),
    form("l17", "17 L tin", ("can", "can", 1), "can=17L", "17"),
    form("tub2", "2 kg tub", ("tub", "tub", 1), "case=6tub tub=2kg", "2"),
    form("tub4", "4 L tub", ("tub", "tub", 1), "case=4tub tub=4L", "4"),
    form("jar1", "1 kg jar", ("jar", "jar", 1), "case=12jar jar=1000g", "1"),
    form("cn24", "case of 24 cans", ("can", "case", 24), "case=24can", "1"),
    form("bt24", "case of 24 bottles", ("btl", "case", 24), "case=24btl", "1"),
    form("bdl", "bundle", ("bdl", "bdl", 1), "", "1"),
    form("sv25", "sleeve of 25", ("pack", "pack", 1), "case=20pack", "1"),
    form("sv50", "sleeve of 50", ("pack", "pack", 1), "case=20pack", "1"),
    form("pk10", "pack of 10", ("pack", "pack", 1), "box=10pack", "1"),
    form("pk100", "pack of 100", ("pack", "pack", 1), "box=10pack", "1"),
    form("pr", "box of 50 pairs", ("box", "box", 1), "case=10box", "50"),
    form("rl", "roll", ("roll", "roll", 1), "box=12roll", "1"),
    form("pc", "piece", ("pc", "pc", 1), "", "1"),
    form("no", "", ("", "", 1), "", "1"),
];

/// Sections: category | SKU | product type | food type | storage | days | inventory and expense account | litres
/// that a kilogram takes. Products: root item | forms | name | price of a kilogram, litre or piece | flags.
/// Flags: i inactive, p with a picture, n not kept in stock, s service, e without an expense account, c without a
/// category.
const GOODS: &str = "\
# Marinated meats|MM|Semi-finished good|Ready to cook|Frozen −18 °C|90|1320|5110|2
inasal|t10||| p
thigh|t10||| p
chix-tocino|p1 p05|||
tocino|p1 p05||| p
longganisa|k20 k50||| p
tapa|p1 p05||| p
beef-strips|p1|||
liempo|t10||| p
bbq|t10||| p
embutido|k20|||
patty|k20|Beef patty, quarter pound||p
meatball|k50|||
nuggets|k50|||
sisig|p1 p2 c6||| p
lechon|p1 p2|||
pata|t10|Pork leg, braised||
chix-skin|p05||| i
bangus|t10|Milkfish belly, marinated||p
# Soups and stews|SS|Semi-finished good|Heat and serve|Frozen −18 °C|60|1320|5110|2
beef-stock|tub4|||
chix-stock|tub4|||
curry|p1|||
peanut|tub2 p1|Kare-kare peanut sauce||p
mongo|p2|Mung bean stew base|168|
tamarind|p1 tub2|Sinigang tamarind base||
red-beans|tub2|||
langka-raw|p2|Jackfruit in coconut milk|176|i
# Sauces and bases|SB|Semi-finished good|Heat and serve|Chilled 0–4 °C|30|1320|5110|2
adobo-base|tub4 l1||| p
bbq-sauce|g1 l1|||
liver-sauce|l1 g1|||
palabok-sauce|tub2|||
spag-sauce|tub2 p2||| p
gravy|p1|||
spiced-vinegar|g1 l1||| p
sweet-chili|l1 g1|||
chix-oil|l1|||
sago-syrup|g1 l1|||
mayo|tub4|||
shrimp-paste|jar1 tub2||| p
# Breads and pastries|BP|Finished good|Ready to eat|Ambient|4|1320|5110|8
pandesal|k50 dz||| p
bun|k20 dz|||
loaf|k20|||
ensaymada|t10 dz||| p
hotdog-bun|k20|||
lumpia-wrapper|k50|||
turon|k20|||
bibingka|p1|||
# Sweets|SW|Finished good|Ready to eat|Frozen −18 °C|45|1320|5110|2
ube|tub2 jar1||| p
leche|t10||| p
halaya-cake|t10||| p
ice-cream|tub4|||
vanilla|tub4|||
puto-bumbong|p1||142|
jackfruit|jar1|||
kaong|jar1|||
nata|jar1|||
# Chicken|CH|Raw material|Raw ingredient|Chilled 0–4 °C|6|1310|5110|2
breast|p1 x10|||
wings|k50|||
ground-chix|p1 b5|||
chix-liver|p1|||
# Pork|PK|Raw material|Raw ingredient|Chilled 0–4 °C|6|1310|5110|2
kasim|x10 p1|||
ground-pork|p1 b5|||
chicharon|p05|||
# Beef|BF|Raw material|Raw ingredient|Frozen −18 °C|120|1310|5110|2
brisket|x10 p2|||
shank|x10|||
oxtail|x10|||
tripe|p2|||
# Processed meat|PM|Merchandise|Ready to cook|Chilled 0–4 °C|45|1310|5110|2
hotdog|k20|||
bacon|p1|||
ham|p1|||
corned-beef|p1 p2|||
spam|p1|||
vienna|k50|||
siomai|k50|||
lumpia|k50|||
lumpia-veg|k20|||
# Seafood|SF|Raw material|Raw ingredient|Frozen −18 °C|120|1310|5110|2
tilapia|t10|||
squid|p1 p2|||
shrimp|p1 p05|||
tuna|p1|||
fish-fillet|k20|||
crab-paste|jar1|||
fishball|k50|||
# Dried fish|DF|Raw material|Raw ingredient|Cool and dark|120|1310|5110|3
dilis|p05|||
tuyo|k50|||
tinapa|k20|||
# Dairy and eggs|DE|Raw material|Raw ingredient|Chilled 0–4 °C|21|1310|5110|2
egg|t30||| p
salted-egg|t30 dz|||
quail-egg|t30|||
milk|l1 c12|||
evap|l1|||
condensed|p1|||
cream|l1|||
butter|p1 p05|||
cheese|p1 p2|||
queso|p1|||
kesong-puti|p05|||
# Rice and noodles|RN|Raw material|Raw ingredient|Dry|270|1310|5110|2
rice|s25 s50||| p
brown-rice|s25|||
malagkit|s25 b5|||
bihon|b5 p1|||
canton|b5 p1|||
luglug|b5|||
sotanghon|p1|||
mami-noodle|p1|||
spaghetti|p1|||
macaroni|p1|||
# Dry goods|DG|Raw material|Raw ingredient|Dry|360|1310|5110|2
flour|s25 b5|||
rice-flour|b5|||
breadcrumbs|p1|||
cornstarch|p1 s25|||
sugar|s50 b5|||
brown-sugar|s50 b5|||
salt|s25 p1|||
tapioca|p1 b5|||
gulaman|p05|||
pinipig|p05|||
bouillon|k50|||
oil|l17 l1||| p
coco-milk|l1|||
mushroom|p1|||
# Spices|SP|Raw material|Raw ingredient|Dry|360|1310|5110|3
pepper|p05|||
annatto|p05|||
# Condiments|CO|Raw material|Raw ingredient|Dry|360|1310|5110|2
soy|g1 l1|||
vinegar|g1 l1|||
fish-sauce|g1 l1|||
ketchup|g1|||
oyster|l1|||
# Vegetables|VG|Raw material|Raw ingredient|Chilled 0–4 °C|7|1310|5110|4
onion|x10 kg|||
garlic|x10 kg|||
ginger|kg|||
tomato|x10 kg|||
cabbage|x10|||
carrot|x10|||
potato|s25|||
sitaw|kg|||
eggplant|kg|||
okra|kg|||
ampalaya|kg|||
radish|kg|||
bell-pepper|kg|||
chili|kg|||
green-chili|kg|||
cucumber|kg|||
bean-sprouts|kg|||
kamote|kg|||
papaya|kg|||
tofu|k20|||
# Leafy vegetables|LV|Raw material|Raw ingredient|Chilled 0–4 °C|4|1310|5110|8
kangkong|bdl|||
pechay|kg|||
malunggay|kg|||
lettuce|kg|||
spring-onion|kg|||
# Fruit|FR|Raw material|Raw ingredient|Chilled 0–4 °C|7|1310|5110|3
calamansi|kg x10|||
mango|x10|||
banana-saba|dz|||
pineapple|x10|||
watermelon|kg|||
melon|kg|||
coconut|p1|||
# Coffee and tea|CT|Raw material|Beverage base|Dry|240|1330|5120|3
coffee|p1 p05||| p
espresso|p1|||
choco|p1|||
tea|p05|||
iced-tea|p1 b5|||
# Juices and syrups|JS|Semi-finished good|Beverage base|Chilled 0–4 °C|30|1330|5120|2
calamansi-juice|l1 g1||| p
mango-puree|p1|||
buko-juice|l1|||
# Bottled drinks|BD|Merchandise|Ready to eat|Ambient|270|1330|5120|2
softdrink|cn24||| p
water|bt24|||
beer|bt24|||
ice|b5|||
# Cups and lids|CL|Packaging|Not food|Dry|0|1340|5130|12
cup12|sv50|Cups 12 oz with lids||
cup16|sv50|Cups 16 oz with lids||
straw|pk100|Paper straws||
-|sv50|Cups 8 oz, hot|168|i
-|sv50|Dome lids|92|e
# Boxes and bags|BB|Packaging|Not food|Dry|0|1340|5130|12
bowl|sv25|Paper bowls with lids||p
box|sv25|Meal boxes||
-|pk100|Paper bags, medium|195|
-|pk100|Paper bags, large|248|
-|pk10|Bilao trays with cover|320|p
-|rl|Cling film, 300 m|385|
-|pk100|Sauce cups with lids|88|
# Cleaning|CN|Supply|Not food|Ambient|0|1350|6520|2
degreaser|g1|||
sanitizer|l1 g1|||
gloves|pr|Disposable gloves||
-|pk10|Scouring pads|120|n
-|pk100|Trash bags|210|
-|rl|Kitchen towels|58|
# Supplies|SU|Supply|Not food|Ambient|0|1350|6530|3
receipt-roll|rl|||
-|pc|Apron, black|185|n
-|pc|Cap with logo|120|n c
-|no|Delivery within Metro Manila|450|s
-|no|Cold chain delivery, provincial|1850|s
-|no|Equipment calibration|2200|s i
";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use larder_domain::Factor;
    use larder_domain::units::{self, Conversion, Units, Used};

    use super::*;
    use crate::demo::pantry::roots;
    use crate::demo::words::{CATEGORIES, FOOD_TYPES, PRODUCT_TYPES, STORAGE, UOMS};

    #[test]
    fn every_line_is_a_product_of_known_parts() {
        let all = every();
        assert_eq!(all.len(), 250);
        assert_eq!(all.iter().map(Good::sku).collect::<HashSet<_>>().len(), all.len());
        let known: HashSet<&str> = roots().iter().map(|root| root.code).collect();
        for good in &all {
            let Section { category, product_type, food_type, storage, .. } = good.section;
            assert!(CATEGORIES.iter().any(|(name, _)| *name == category), "{category}");
            assert!(PRODUCT_TYPES.contains(&product_type), "{product_type}");
            assert!(FOOD_TYPES.contains(&food_type) && STORAGE.contains(&storage), "{food_type} {storage}");
            assert!(known.contains(good.root) || good.root == "-", "{}", good.root);
            assert!(
                good.root != "-" || (good.own_price().is_some() && !good.name.is_empty()),
                "{}",
                good.name
            );
        }
        let forms: usize =
            GOODS.lines().filter_map(|l| l.split('|').nth(1)).map(|f| f.split_whitespace().count()).sum();
        let sections = GOODS.lines().filter(|line| line.starts_with("# ")).count();
        assert_eq!(forms - sections, all.len(), "every form is known");
    }

    #[test]
    fn every_form_converts() {
        for form in FORMS.iter().filter(|form| !form.base.is_empty()) {
            let lines: Vec<Conversion<'_>> = conversions(form.conversions)
                .map(|(from, n, to)| Conversion { from, to, factor: Factor::parse(n).expect("a factor") })
                .collect();
            let used =
                Used { base: Some(form.base), selling: Some(form.selling), others: &[], conversions: &lines };
            assert_eq!(units::check(&used), [], "{}", form.code);
            let ratio = Units::new(form.base, &lines).factor(form.selling, form.base);
            assert_eq!(ratio, Some(Factor(form.each * 1_000_000_000)), "{}", form.code);
            for unit in lines.iter().flat_map(|line| [line.from, line.to]).chain([form.base, form.selling]) {
                assert!(UOMS.iter().any(|(code, _)| *code == unit), "{unit}");
            }
        }
    }

    #[test]
    fn a_few_products_are_of_every_kind() {
        let some = goods(80);
        assert_eq!(some.len(), 80);
        let sections = |goods: &[Good]| goods.iter().map(|g| g.section.prefix).collect::<HashSet<_>>().len();
        assert!(sections(&some) + 2 >= sections(&every()), "{}", sections(&some));
        assert!("ips".chars().all(|flag| some.iter().any(|good| good.is(flag))));
    }
}
