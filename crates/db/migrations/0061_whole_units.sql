-- Whether a unit is only handled in whole numbers is a property of the unit. Units that measure weight, volume, length,
-- area or time can be parted; a tub, a bottle or a tray comes whole, whether a product has it as its base unit or not.
-- The words are those of larder_domain::units::is_measure, as codes and as names.

alter table uoms add column whole_only boolean not null default false;
update uoms set whole_only = true
where code_key not in (
    'kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms', 'g', 'gm', 'gms', 'gr', 'gram', 'grams', 'mg',
    'milligram', 'milligrams', 't', 'ton', 'tons', 'tonne', 'tonnes', 'mt', 'lb', 'lbs', 'pound', 'pounds',
    'oz', 'ounce', 'ounces', 'fl oz', 'l', 'lt', 'ltr', 'ltrs', 'liter', 'liters', 'litre', 'litres', 'ml',
    'milliliter', 'milliliters', 'millilitre', 'millilitres', 'cl', 'dl', 'cc', 'gal', 'gals', 'gallon',
    'gallons', 'qt', 'quart', 'quarts', 'pt', 'pint', 'pints', 'cup', 'cups', 'tbsp', 'tablespoon', 'tsp',
    'teaspoon', 'm', 'meter', 'meters', 'metre', 'metres', 'cm', 'mm', 'ft', 'foot', 'feet', 'inch',
    'inches', 'yd', 'yard', 'yards', 'sqm', 'm2', 'm²', 'cbm', 'm3', 'm³', 'hr', 'hrs', 'hour', 'hours',
    'min', 'minute', 'minutes', 'day', 'days'
  ) and name_key not in (
    'kg', 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms', 'g', 'gm', 'gms', 'gr', 'gram', 'grams', 'mg',
    'milligram', 'milligrams', 't', 'ton', 'tons', 'tonne', 'tonnes', 'mt', 'lb', 'lbs', 'pound', 'pounds',
    'oz', 'ounce', 'ounces', 'fl oz', 'l', 'lt', 'ltr', 'ltrs', 'liter', 'liters', 'litre', 'litres', 'ml',
    'milliliter', 'milliliters', 'millilitre', 'millilitres', 'cl', 'dl', 'cc', 'gal', 'gals', 'gallon',
    'gallons', 'qt', 'quart', 'quarts', 'pt', 'pint', 'pints', 'cup', 'cups', 'tbsp', 'tablespoon', 'tsp',
    'teaspoon', 'm', 'meter', 'meters', 'metre', 'metres', 'cm', 'mm', 'ft', 'foot', 'feet', 'inch',
    'inches', 'yd', 'yard', 'yards', 'sqm', 'm2', 'm²', 'cbm', 'm3', 'm³', 'hr', 'hrs', 'hour', 'hours',
    'min', 'minute', 'minutes', 'day', 'days'
  );
