//! What the kitchens use: the root items.

/// A root item before it has an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Root {
    /// What bills of materials call it; its rootProductId in capitals.
    pub code: &'static str,
    /// Name with the unit it is counted in.
    pub name: &'static str,
    /// Kind of ingredient.
    pub kind: &'static str,
    /// Kilograms of one unit, as text; empty where nobody weighs it.
    pub weight: &'static str,
    /// Pesos of one unit, as text; empty where nobody asked yet.
    pub price: &'static str,
    /// Whether it is used in production; otherwise lists hide it.
    pub production: bool,
}

/// All root items.
pub fn roots() -> Vec<Root> {
    let mut kind = "";
    let mut all = Vec::new();
    for line in ROOTS.lines() {
        if let Some(title) = line.strip_prefix("# ") {
            kind = title;
            continue;
        }
        let mut fields = line.split('|').map(str::trim);
        let mut next = || fields.next().unwrap_or_default();
        let (code, name, weight, price) = (next(), next(), next(), next());
        all.push(Root { code, name, kind, weight, price, production: next() != "hidden" });
    }
    all
}

/// code | name | kg of one | pesos of one | hidden
const ROOTS: &str = "\
# Poultry
inasal|Chicken inasal quarter (pc)|0.32|62
thigh|Chicken thigh fillet, marinated (pc)|0.15|38
breast|Chicken breast fillet (kg)|1|245
wings|Chicken wings (pc)|0.055|11.5
ground-chix|Ground chicken (kg)|1|210
chix-liver|Chicken liver (kg)|1|140
chix-stock|Chicken stock base (L)|1.02|64
chix-oil|Annatto chicken oil (L)|0.92|118
chix-tocino|Chicken tocino (kg)|1|228
nuggets|Chicken nuggets (pc)|0.022|6.2
chix-skin|Chicken skin, crisped (kg)|1|190
# Pork
liempo|Pork belly, grilled cut (pc)|0.2|78
kasim|Pork shoulder (kg)|1|285
ground-pork|Ground pork (kg)|1|270
tocino|Pork tocino (kg)|1|262
longganisa|Longganisa (pc)|0.045|13.8
sisig|Sisig mix, cooked (kg)|1|310
lechon|Lechon kawali (kg)|1|395
pata|Pork leg, braised (pc)|1.1|318
bbq|Pork barbecue stick (pc)|0.08|23.5
chicharon|Chicharon (kg)|1|480
bacon|Bacon (kg)|1|420
ham|Sweet ham (kg)|1|330
meatball|Pork meatball (pc)|0.03|8.4
# Beef
tapa|Beef tapa (kg)|1|455
brisket|Beef brisket (kg)|1|430
shank|Beef shank with marrow (kg)|1|390
oxtail|Oxtail (kg)|1|460
patty|Beef patty (pc)|0.12|46
corned-beef|Corned beef (kg)|1|365
beef-strips|Beef strips, marinated (kg)|1|440
tripe|Tripe (kg)|1|250
beef-stock|Beef stock base (L)|1.02|78
# Seafood
bangus|Milkfish belly, boneless (pc)|0.16|69
tilapia|Tilapia (pc)|0.35|58
squid|Squid (kg)|1|340
shrimp|Shrimp, peeled (kg)|1|520
tuna|Tuna belly (kg)|1|430
dilis|Dried anchovies (kg)|1|360
tuyo|Dried herring (pc)|0.02|7.5
tinapa|Smoked fish (pc)|0.09|24
fish-fillet|Cream dory fillet (pc)|0.14|33
crab-paste|Crab paste (kg)|1|540
shrimp-paste|Shrimp paste (kg)|1|165
fishball|Fish ball (pc)|0.012|1.9
# Processed meat
hotdog|Hotdog, jumbo (pc)|0.06|14.5
spam|Luncheon meat (kg)|1|310
vienna|Cocktail sausage (pc)|0.018|4.1
embutido|Embutido (pc)|0.12|34
lumpia|Lumpiang shanghai (pc)|0.025|6.3
lumpia-veg|Vegetable lumpia (pc)|0.07|11.5
siomai|Pork siomai (pc)|0.025|6.8
# Eggs and dairy
egg|Egg, large (pc)|0.06|8.9
salted-egg|Salted egg (pc)|0.065|14
quail-egg|Quail egg (pc)|0.01|2.6
milk|Fresh milk (L)|1.03|92
evap|Evaporated milk (L)|1.06|108
condensed|Condensed milk (kg)|1|132
cream|All-purpose cream (L)|1.01|186
butter|Butter (kg)|1|520
cheese|Cheddar cheese (kg)|1|410
queso|Quick-melt cheese (kg)|1|385
kesong-puti|White cheese (kg)|1|460
# Rice and grains
rice|Jasmine rice, uncooked (kg)|1|54
brown-rice|Brown rice, uncooked (kg)|1|72
malagkit|Glutinous rice (kg)|1|78
rice-flour|Rice flour (kg)|1|88
flour|Bread flour (kg)|1|52
breadcrumbs|Bread crumbs (kg)|1|96
cornstarch|Cornstarch (kg)|1|64
# Noodles
bihon|Rice vermicelli (kg)|1|98
canton|Canton noodles (kg)|1|124
luglug|Thick rice noodles (kg)|1|92
sotanghon|Glass noodles (kg)|1|168
mami-noodle|Egg noodles, fresh (kg)|1|110
spaghetti|Spaghetti (kg)|1|86
macaroni|Macaroni (kg)|1|82
# Bread
pandesal|Pandesal (pc)|0.035|4.2
bun|Burger bun (pc)|0.06|9.5
loaf|Sandwich bread, slice (pc)|0.03|3.4
ensaymada|Ensaymada (pc)|0.09|22
hotdog-bun|Hotdog bun (pc)|0.055|8.5
lumpia-wrapper|Spring roll wrapper (pc)|0.02|2.8
# Vegetables
onion|Red onion (kg)|1|110
garlic|Garlic (kg)|1|135
ginger|Ginger (kg)|1|125
tomato|Tomato (kg)|1|85
cabbage|Cabbage (kg)|1|62
carrot|Carrot (kg)|1|92
potato|Potato (kg)|1|98
kangkong|Water spinach (bundle)|0.2|16
pechay|Pechay (kg)|1|74
sitaw|String beans (kg)|1|88
eggplant|Eggplant (kg)|1|78
okra|Okra (kg)|1|76
ampalaya|Bitter gourd (kg)|1|94
radish|Radish (kg)|1|64
malunggay|Moringa leaves (kg)|1|140
bell-pepper|Bell pepper (kg)|1|210
chili|Bird's eye chili (kg)|1|320
green-chili|Green finger chili (kg)|1|160
lettuce|Lettuce (kg)|1|240
cucumber|Cucumber (kg)|1|68
spring-onion|Spring onion (kg)|1|130
bean-sprouts|Bean sprouts (kg)|1|58
kamote|Sweet potato (kg)|1|66
papaya|Green papaya (kg)|1|52
mongo|Mung beans (kg)|1|112
tofu|Tofu (pc)|0.1|12.5
mushroom|Button mushroom, canned (kg)|1|190
# Fruit
calamansi|Calamansi (kg)|1|96
mango|Ripe mango (kg)|1|165
banana-saba|Saba banana (pc)|0.09|6.8
jackfruit|Jackfruit, in syrup (kg)|1|185
pineapple|Pineapple (kg)|1|88
watermelon|Watermelon (kg)|1|56
melon|Melon (kg)|1|92
tamarind|Tamarind base (kg)|1|148
coconut|Young coconut strips (kg)|1|170
langka-raw|Unripe jackfruit (kg)|1|84
# Sauces and condiments
soy|Soy sauce (L)|1.15|58
vinegar|Cane vinegar (L)|1.01|36
spiced-vinegar|Spiced vinegar (L)|1.01|72
fish-sauce|Fish sauce (L)|1.2|48
ketchup|Banana ketchup (L)|1.1|86
oyster|Oyster sauce (L)|1.2|128
mayo|Mayonnaise (L)|0.95|176
gravy|Gravy base (kg)|1|210
peanut|Peanut sauce base (kg)|1|198
adobo-base|Adobo sauce base (L)|1.08|94
bbq-sauce|Barbecue glaze (L)|1.15|122
liver-sauce|Liver sauce (L)|1.05|88
palabok-sauce|Palabok sauce (kg)|1|134
spag-sauce|Sweet spaghetti sauce (kg)|1|128
sweet-chili|Sweet chili sauce (L)|1.15|118
curry|Curry base (kg)|1|205
coco-milk|Coconut milk (L)|0.98|112
bouillon|Bouillon cube (pc)|0.01|5.6
# Dry goods
oil|Palm oil (L)|0.92|82
sugar|White sugar (kg)|1|84
brown-sugar|Brown sugar (kg)|1|72
salt|Iodised salt (kg)|1|24
pepper|Black pepper, ground (kg)|1|720
annatto|Annatto powder (kg)|1|390
tapioca|Tapioca pearls (kg)|1|124
gulaman|Gulaman powder (kg)|1|640
nata|Nata de coco (kg)|1|118
kaong|Sugar palm fruit (kg)|1|132
red-beans|Sweetened red beans (kg)|1|142
pinipig|Toasted rice flakes (kg)|1|220
# Sweets
ube|Ube halaya (kg)|1|275
leche|Leche flan (pc)|0.12|36
ice-cream|Ice cream, ube (L)|0.6|210
vanilla|Ice cream, vanilla (L)|0.6|196
turon|Turon, ready to fry (pc)|0.1|13.5
bibingka|Bibingka batter (kg)|1|142
puto-bumbong|Puto bumbong mix (kg)|1|
halaya-cake|Ube cake, slice (pc)|0.11|48
# Beverages
coffee|Barako coffee, ground (kg)|1|560
espresso|Espresso beans (kg)|1|780
choco|Tablea chocolate (kg)|1|520
tea|Black tea leaves (kg)|1|640
iced-tea|Iced tea powder (kg)|1|265
softdrink|Soft drink, 330 mL can (can)|0.35|27
water|Bottled water 500 mL (btl)|0.52|9.5
calamansi-juice|Calamansi concentrate (L)|1.1|165
mango-puree|Mango puree (kg)|1|240
buko-juice|Coconut water (L)|1.02|78
sago-syrup|Brown sugar syrup (L)|1.3|96
beer|Beer, 330 mL (btl)|0.6|52
ice|Tube ice (kg)|1|6.5
# Packaging
bowl|Paper bowls with lids (sleeve of 25)|0.45|180
box|Meal boxes (sleeve of 25)|0.55|210
cup12|Cups 12 oz with lids (sleeve of 50)|0.6|245
cup16|Cups 16 oz with lids (sleeve of 50)|0.75|280
straw|Paper straws (pack of 100)|0.1|85
# Supplies
degreaser|Kitchen degreaser (L)|1.05|145|hidden
sanitizer|Surface sanitizer (L)|1|168|hidden
gloves|Disposable gloves (pair)|0.01|2.4|hidden
receipt-roll|Receipt paper roll (pc)|0.09|28|hidden
";

#[cfg(test)]
mod tests {
    use super::*;
    use larder_domain::{Money, Qty};
    use std::collections::HashSet;

    #[test]
    fn every_line_is_a_root_item() {
        let all = roots();
        assert_eq!(all.len(), 180);
        assert_eq!(all.iter().map(|r| r.code).collect::<HashSet<_>>().len(), all.len());
        for root in &all {
            assert!(Qty::parse(root.weight).is_ok(), "{}", root.code);
            assert!(root.price.is_empty() || Money::parse(root.price).is_ok(), "{}", root.code);
        }
        assert_eq!(all.iter().filter(|r| r.price.is_empty()).count(), 1);
        assert_eq!(all.iter().filter(|r| !r.production).count(), 4);
    }
}
