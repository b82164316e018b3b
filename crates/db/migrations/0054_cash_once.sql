-- What is written down once: a declaration of a till's day, and a deposit of a slip. The keys are filled for what is written
-- from now on and empty for what counts for nothing. Doubles that were written before keep no key and stay as they are.

-- Store, day and till of a declaration that counts.
alter table cash_declarations add column live_key text;
create unique index cash_declarations_live on cash_declarations (live_key);

-- Store, day, bank and slip of a deposit that counts; without a slip its amount, unless it was confirmed to be another one.
alter table cash_deposits add column slip_key text;
create unique index cash_deposits_slip on cash_deposits (slip_key);
