import { help } from './types';

export const storeHelp = {
  storesOrders: help(
    'All orders of your stores, from draft to received. A store asks its kitchen or supplier here for what it needs.',
    [
      'Choose «New order» to ask for a delivery.',
      'Open an order to see what was approved and what was cut.',
      'Choose a state above the list to see only those orders.',
    ],
    ['records'],
  ),
  storesOrder: help(
    'One order. A draft can be changed until its cut-off; after that it shows what was approved, sent and received.',
    [
      'Type the quantities, or take the suggestion for all items.',
      'Save the draft and come back later: nothing is sent yet.',
      'Choose «Submit order» before the cut-off, or move it to the next truck after it.',
    ],
    ['grid', 'find'],
  ),
  storesReceive: help(
    'Deliveries on their way to your stores, and all receipts. Take goods in here when the truck arrives.',
    [
      'Choose «Receive» at the delivery that has arrived.',
      'Choose «Go on» to finish a receipt you started.',
      'For goods from a supplier, choose «From a supplier».',
    ],
    ['records'],
  ),
  storesReceipt: help(
    'One receipt: what was expected and what came. Posting it puts the goods into the store’s stock.',
    [
      'Type what came; each line starts with what was expected.',
      'Give a reason for each difference, and add a photo if goods are damaged.',
      'Choose «Post receipt» when every line is right.',
    ],
    ['grid'],
  ),
  storesLocations: help(
    'Your stores, with their area, price level and tills. Closed stores are hidden until you show them.',
    [
      'Choose «New store» to add a store.',
      'Open a store to change its details or see what it still needs.',
      'Choose «Delivery days» to see when each store gets its goods.',
    ],
    ['records'],
  ),
  storesLocation: help(
    'One store: its details, tills, delivery days, opening days and lease. The list on top says what is missing before it can work.',
    [
      'Follow a line that is not ticked to add what is missing.',
      'Change a detail and choose «Save store».',
      'Set the delivery days, so that the store can order.',
    ],
  ),
  storesInventory: help(
    'What a store has on hand, and how its counts differ from what should be there.',
    [
      'Choose a store, then look at the largest differences.',
      'Open an item to see everything that changed its stock.',
      'Choose «Count sheet» to print a sheet for counting on paper.',
    ],
    ['list'],
  ),
  storesCount: help(
    'Count a store at opening and closing. It works without a connection: counts wait on this device and are sent later.',
    [
      'Choose the store, the date, and opening or closing.',
      'Type how much is there of each item, in packs and units.',
      'Choose «Finish» when all items are counted.',
    ],
    ['counting'],
  ),
  storesTransactions: help(
    'Everything that happened in a store: orders, receipts, transfers, waste and counts.',
    [
      'Choose «New», then «Transfer» to send goods to another store.',
      'Choose «New», then «Waste report» when goods are thrown away.',
      'Filter by store, kind or person to find one document.',
    ],
    ['records'],
  ),
  storesTransfer: help(
    'One transfer of goods from a store to another. The other store receives it like a delivery.',
    [
      'Add the items and how much of each you send.',
      'Choose «Send transfer» when the goods leave.',
      'If it was a mistake, choose «Take it back» in the menu.',
    ],
    ['grid'],
  ),
  storesWasteReport: help(
    'One report of goods that were thrown away, and why. They leave the store’s stock once it is posted.',
    [
      'Choose the reason and say what happened.',
      'Add the items, how much of each, and photos.',
      'Choose «Submit waste»; a large amount waits for approval.',
    ],
    ['grid'],
  ),
} as const;
