//! What a simulated group is made of: its stores with their tills, what it buys, counts and sells.

use rand::RngExt as _;
use rand::rngs::StdRng;

use crate::quantity::ONE;

/// An ingredient; stock is known in its units, in millionths.
#[derive(Debug, Clone)]
pub struct Root {
    pub name: &'static str,
    pub unit: &'static str,
    /// Centavos per unit.
    pub price: i64,
}

/// What the kitchen sends, in whole packs.
#[derive(Debug, Clone)]
pub struct Product {
    pub name: String,
    /// Index of its root item.
    pub root: usize,
    /// Root units in a pack, in millionths.
    pub per_pack: i64,
    /// Days a lot can be used.
    pub shelf_life: usize,
}

/// What a store counts. Each root item is counted in packs and loose.
#[derive(Debug, Clone)]
pub struct Item {
    pub name: String,
    /// Index of its root item.
    pub root: usize,
    /// Root units in a counted unit, in millionths.
    pub per_unit: i64,
}

/// What a till sells.
#[derive(Debug, Clone)]
pub struct Dish {
    pub name: String,
    /// Centavos.
    pub price: i64,
    /// Root items by index, with millionths for one dish.
    pub uses: Vec<(usize, i64)>,
}

/// A store.
#[derive(Debug, Clone)]
pub struct Store {
    pub name: &'static str,
    pub tills: Vec<String>,
    /// The day on which it is closed, of each seven from the world's first.
    pub closed: Option<usize>,
    /// Stock of each root item before the world begins, in millionths.
    pub begins_with: Vec<i64>,
}

/// What the kitchen makes of flour for itself, by the pack, and how much of it goes into what it sends. Quantities are
/// millionths of packs.
pub mod kitchen {
    use crate::quantity::ONE;

    pub const FLOUR: &str = "Flour";
    pub const MIX: &str = "Mix";
    /// Flour in a pack of mix.
    pub const FLOUR_IN_MIX: i64 = 3 * ONE;
    /// Mix in a kit.
    pub const MIX_IN_KIT: i64 = ONE;
    /// Days a lot of mix can be used.
    pub const SHELF_LIFE: usize = 5;
}

/// A group.
#[derive(Debug, Clone)]
pub struct Catalogue {
    pub roots: Vec<Root>,
    pub products: Vec<Product>,
    pub items: Vec<Item>,
    pub dishes: Vec<Dish>,
    pub stores: Vec<Store>,
}

const ROOTS: [(&str, &str, [i64; 2]); 4] = [
    ("Rice", "kg", [5 * ONE, ONE]),
    ("Chicken", "pc", [24 * ONE, 6 * ONE]),
    ("Oil", "l", [4 * ONE, ONE / 2]),
    ("Cola", "bottle", [12 * ONE, ONE]),
];
const STORES: [&str; 4] = ["Cubao", "Makati", "Pasig", "Quezon"];

impl Store {
    /// Whether it sells and counts nothing on a day.
    #[must_use]
    pub fn is_closed(&self, day: usize) -> bool {
        self.closed == Some(day % 7)
    }
}

impl Catalogue {
    /// The product that was entered twice: the one that stays, and the one that is merged into it.
    #[must_use]
    pub fn twins(&self) -> (usize, usize) {
        (0, self.products.len() - 1)
    }

    /// The product that the kitchen makes of mix, in lots.
    #[must_use]
    pub fn kit(&self) -> usize {
        2 * self.roots.len()
    }

    /// A group of some stores and root items; amounts are drawn by `chance`.
    #[must_use]
    pub fn of(stores: usize, roots: usize, chance: &mut StdRng) -> Self {
        let (mut found, mut products, mut items) = (Vec::new(), Vec::new(), Vec::new());
        for (root, (name, unit, packs)) in ROOTS.into_iter().take(roots).enumerate() {
            found.push(Root { name, unit, price: chance.random_range(500..20_000) });
            for (size, per_pack) in ["large", "small"].into_iter().zip(packs) {
                let shelf_life = chance.random_range(4..20);
                products.push(Product { name: format!("{name}, {size} pack"), root, per_pack, shelf_life });
            }
            items.push(Item { name: format!("{name}, loose"), root, per_unit: ONE });
            items.push(Item { name: format!("{name}, packs"), root, per_unit: packs[0] });
        }
        let name = format!("{}, kit", ROOTS[0].0);
        let shelf_life = chance.random_range(3..8);
        products.push(Product { name, root: 0, per_pack: 2 * ONE, shelf_life });
        // The large pack of the first root item was entered twice.
        let twin = Product { name: format!("{}, carton", ROOTS[0].0), ..products[0].clone() };
        products.push(twin);
        let dishes = (0..roots + 1).map(|dish| Self::dish(dish, roots, chance)).collect();
        let store = |(at, name): (usize, &'static str)| Store {
            name,
            tills: (0..1 + at % 2).map(|till| format!("T{}", till + 1)).collect(),
            closed: chance.random_ratio(1, 3).then(|| chance.random_range(1..7)),
            begins_with: products
                .chunks_exact(2)
                .take(roots)
                .map(|pair| pair[0].per_pack * chance.random_range(1..5))
                .collect(),
        };
        let stores = STORES.into_iter().take(stores).enumerate().map(store).collect();
        Self { roots: found, products, items, dishes, stores }
    }

    /// The first dishes use one root item each, the last one two.
    fn dish(dish: usize, roots: usize, chance: &mut StdRng) -> Dish {
        let mut uses = vec![(dish % roots, chance.random_range(1..9) * ONE / 8)];
        let mut name = format!("{} bowl", ROOTS[dish % roots].0);
        if dish >= roots {
            name = "Family tray".to_owned();
            if roots > 1 {
                uses.push((1, ONE / 4));
            }
        }
        Dish { name, price: chance.random_range(50..400) * 100, uses }
    }
}
