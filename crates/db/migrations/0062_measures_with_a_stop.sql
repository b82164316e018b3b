-- A measure whose code or name ends in a full stop («kg.») can be parted as well: 0061 compared it with the stop.
-- The words are those of larder_domain::units::is_measure.

with measures (word) as (values
    ('kg'), ('kgs'), ('kilo'), ('kilos'), ('kilogram'), ('kilograms'), ('g'), ('gm'), ('gms'), ('gr'), ('gram'),
    ('grams'), ('mg'), ('milligram'), ('milligrams'), ('t'), ('ton'), ('tons'), ('tonne'), ('tonnes'), ('mt'), ('lb'),
    ('lbs'), ('pound'), ('pounds'), ('oz'), ('ounce'), ('ounces'), ('fl oz'), ('l'), ('lt'), ('ltr'), ('ltrs'),
    ('liter'), ('liters'), ('litre'), ('litres'), ('ml'), ('milliliter'), ('milliliters'), ('millilitre'),
    ('millilitres'), ('cl'), ('dl'), ('cc'), ('gal'), ('gals'), ('gallon'), ('gallons'), ('qt'), ('quart'),
    ('quarts'), ('pt'), ('pint'), ('pints'), ('cup'), ('cups'), ('tbsp'), ('tablespoon'), ('tsp'), ('teaspoon'),
    ('m'), ('meter'), ('meters'), ('metre'), ('metres'), ('cm'), ('mm'), ('ft'), ('foot'), ('feet'), ('inch'),
    ('inches'), ('yd'), ('yard'), ('yards'), ('sqm'), ('m2'), ('m²'), ('cbm'), ('m3'), ('m³'), ('hr'), ('hrs'),
    ('hour'), ('hours'), ('min'), ('minute'), ('minutes'), ('day'), ('days')
)
update uoms set whole_only = false
where (code_key like '%.' and rtrim(code_key, '.') in (select word from measures))
   or (name_key like '%.' and rtrim(name_key, '.') in (select word from measures));
