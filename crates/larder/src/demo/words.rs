//! The small lists that describe products.

/// Units of measure: code and name.
pub const UOMS: &[(&str, &str)] = &[
    ("kg", "Kilogram"),
    ("g", "Gram"),
    ("L", "Litre"),
    ("mL", "Millilitre"),
    ("pc", "Piece"),
    ("pack", "Pack"),
    ("box", "Box"),
    ("case", "Case"),
    ("sack", "Sack"),
    ("tray", "Tray"),
    ("can", "Can"),
    ("btl", "Bottle"),
    ("jar", "Jar"),
    ("bag", "Bag"),
    ("tub", "Tub"),
    ("gal", "Gallon"),
    ("doz", "Dozen"),
    ("bdl", "Bundle"),
    ("roll", "Roll"),
    ("portion", "Portion"),
];

/// Product categories: name, and the name of the one above. Nobody uses the fiesta's any more.
pub const CATEGORIES: &[(&str, &str)] = &[
    ("Raw materials", ""),
    ("Meat and poultry", "Raw materials"),
    ("Chicken", "Meat and poultry"),
    ("Pork", "Meat and poultry"),
    ("Beef", "Meat and poultry"),
    ("Processed meat", "Meat and poultry"),
    ("Seafood", "Raw materials"),
    ("Dried fish", "Seafood"),
    ("Vegetables and fruit", "Raw materials"),
    ("Vegetables", "Vegetables and fruit"),
    ("Leafy vegetables", "Vegetables"),
    ("Fruit", "Vegetables and fruit"),
    ("Dairy and eggs", "Raw materials"),
    ("Dry goods", "Raw materials"),
    ("Rice and noodles", "Dry goods"),
    ("Condiments", "Dry goods"),
    ("Spices", "Condiments"),
    ("Commissary products", ""),
    ("Marinated meats", "Commissary products"),
    ("Sauces and bases", "Commissary products"),
    ("Soups and stews", "Commissary products"),
    ("Breads and pastries", "Commissary products"),
    ("Sweets", "Commissary products"),
    ("Fiesta specials 2024", "Sweets"),
    ("Beverages", ""),
    ("Coffee and tea", "Beverages"),
    ("Juices and syrups", "Beverages"),
    ("Bottled drinks", "Beverages"),
    ("Packaging", ""),
    ("Cups and lids", "Packaging"),
    ("Boxes and bags", "Packaging"),
    ("Supplies", ""),
    ("Cleaning", "Supplies"),
];

/// Food types.
pub const FOOD_TYPES: &[&str] =
    &["Ready to eat", "Heat and serve", "Ready to cook", "Raw ingredient", "Beverage base", "Not food"];

/// Product types.
pub const PRODUCT_TYPES: &[&str] =
    &["Finished good", "Semi-finished good", "Raw material", "Merchandise", "Packaging", "Supply"];

/// Storage requirements.
pub const STORAGE: &[&str] = &["Dry", "Cool and dark", "Chilled 0–4 °C", "Frozen −18 °C", "Ambient"];
