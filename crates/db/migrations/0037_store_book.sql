-- What was adjusted at a place, by day: the book of a store asks for it.
create index stock_movements_adjusted on stock_movements (place_id, business_date, seq) where document_type = 'adjustment';
