import { help } from './types';

/** Commissary, products and stock. */
export const kitchenHelp = {
  commissaryOrders: help(
    'What all stores ordered from the kitchen, by product and store. Share out what there is and see what must be made.',
    [
      'Choose the kitchen and the day the goods are needed.',
      'Where it is short, change the shares or choose «Share what there is».',
      'Choose «Make deliveries» when the shares are right.',
    ],
    ['shares', 'find'],
  ),
  commissaryDeliveries: help(
    'Deliveries from the kitchen to the stores, from picking to received, and what is on its way.',
    [
      'Choose «New delivery» to send what stores ordered.',
      'Open a delivery to pick, pack or dispatch it.',
      'Choose «In transit» to see what has left and is late.',
    ],
    ['records'],
  ),
  commissaryDelivery: help(
    'Orders that wait to be sent. Make a delivery for a store out of what was approved.',
    [
      'Find the store and the day it needs the goods.',
      'Choose «Make delivery» to start with all its lines.',
      'Choose «Open» where a delivery was begun already.',
    ],
  ),
  commissaryDeliveryOne: help(
    'One delivery: what to pick, which lots go, and how it fits the store. The store receives it when the truck arrives.',
    [
      'Type what you picked, or scan the items.',
      'Choose «Pack»; «Unpack» lets you correct it.',
      'Choose «Dispatch» when the truck leaves, and print the note.',
    ],
    ['grid', 'find'],
  ),
  commissaryProduction: help(
    'Batches that the kitchen makes from recipes: planned, in progress and posted.',
    [
      'Choose «New batch», then a recipe and how many batches.',
      'Open a batch to start it or to say what was made.',
      'Choose «Stock-takes» to count what the kitchen has.',
    ],
    ['records'],
  ),
  commissaryBatch: help(
    'One batch: what goes in and how much came out. Posting it takes the ingredients from stock and adds what was made.',
    [
      'Choose «Start batch» when work begins.',
      'Type what was used and what was made.',
      'Choose «Post batch» when the figures are right.',
    ],
    ['grid'],
  ),
  commissaryStockTakes: help(
    'Counts of a kitchen, warehouse or cold storage. Each compares what is there with what should be there.',
    [
      'Choose «New stock-take» and the place.',
      'Open a sheet that is not posted yet and go on counting.',
      'Print a sheet to count on paper.',
    ],
    ['records'],
  ),
  commissaryStockTake: help(
    'One count of a kitchen or warehouse. It works without a connection: numbers wait on this device and are sent later.',
    [
      'Type what you counted of each lot.',
      'Add a lot or product you found that is not on the sheet.',
      'Choose «Review differences», then «Post differences».',
    ],
    ['grid', 'find'],
  ),
  commissarySupplierReturns: help(
    'Goods that went back to suppliers, and the credit you wait for.',
    [
      'Choose «New supplier return» to send goods back.',
      'Open a return to see whether it was accepted.',
      'Filter by supplier or state to see what is still open.',
    ],
    ['records'],
  ),
  commissarySupplierReturn: help(
    'One return to a supplier: what goes back, why, and how much was credited.',
    [
      'Type the quantity and the reason of each line.',
      'Choose «Send to supplier» when the goods leave.',
      'Choose «Settle» when it was credited or replaced.',
    ],
    ['grid'],
  ),
  products: help(
    'Everything the group buys, makes and sends to stores, with stock and prices.',
    [
      'Choose «New product», or «Import» a whole file.',
      'Select several products to change them together, or to merge them.',
      'Open the menu of a product to adjust its quantity.',
    ],
    ['records'],
  ),
  product: help('One product: its units, prices, stock by place and everything that changed it.', [
    'Choose «Edit» to change its units, barcodes or prices.',
    'Choose «Adjust quantity» when the stock is wrong.',
    'Look at «Movements» to see where its stock came from and went.',
  ]),
  stockLots: help(
    'Lots of products, with their expiry and where they are. Use it to find what expires soon or must be recalled.',
    [
      'Choose a place to see its lots.',
      'Filter by expiry to use the oldest first.',
      'Open a lot to see where it came from and went.',
    ],
    ['list'],
  ),
  stockLot: help(
    'One lot: where it came from, what was made of it and which stores got it.',
    [
      'Follow the lot back to its batch or supplier.',
      'See every place that has some of it.',
      'Choose «Recall lot» if nobody may use it.',
    ],
    ['list'],
  ),
} as const;
