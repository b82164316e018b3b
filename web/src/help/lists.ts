import { help } from './types';

/** Master lists. */
export const listHelp = {
  lists: help('The way to all lists: products, places, suppliers and the words used in forms.', [
    'Choose a list to open it.',
    'Look here when a choice is missing in a form.',
    'Lists you may not open are grey: ask your administrator.',
  ]),
  listUoms: help(
    'The units goods are counted in, such as kg, piece or case.',
    [
      'Use the button at the top to add a unit with its short code.',
      'Mark a unit that comes whole: only whole numbers can be ordered.',
      'Open a unit to correct its name.',
    ],
    ['records'],
  ),
  listCategories: help(
    'Groups of products, such as meat or drinks. A group can be inside another.',
    [
      'Use the button at the top to add a category.',
      'Choose a parent to put a category inside another.',
      'Open a category to rename it.',
    ],
    ['records', 'tree'],
  ),
  listFoodTypes: help(
    'What a product is: meat, bread, sauce. Products are grouped by it.',
    [
      'Use the button at the top to add a food type.',
      'Open one to rename it: products keep it.',
      'Delete one that no product uses.',
    ],
    ['records'],
  ),
  listProductTypes: help(
    'How a product is used: raw, semi-finished or finished.',
    [
      'Use the button at the top to add a product type.',
      'Open one to rename it: products keep it.',
      'Delete one that no product uses.',
    ],
    ['records'],
  ),
  listStorageRequirements: help(
    'How a product must be kept: dry, chilled or frozen. Orders and deliveries are sorted by it.',
    [
      'Use the button at the top to add a way of storage.',
      'Open one to rename it: products keep it.',
      'Delete one that no product uses.',
    ],
    ['records'],
  ),
  listPriceLevels: help(
    'Lists of prices. Each store has one level, and each product a price for it.',
    [
      'Use the button at the top to add a price level.',
      'Give a store its level on the store’s own page.',
      'Set the prices of a level on the page of each product.',
    ],
    ['records'],
  ),
  listStoreFormats: help(
    'Kinds of stores: kiosk, counter, dine-in. Reports compare stores of one kind.',
    [
      'Use the button at the top to add a format.',
      'Give a store its format on the store’s own page.',
      'Open one to rename it: stores keep it.',
    ],
    ['records'],
  ),
  listTenderTypes: help(
    'Ways customers pay: cash, cards, e-wallets and vouchers.',
    [
      'Use the button at the top to add a way of paying.',
      'Choose its kind, so that deposits and settlements can be checked.',
      'Make one inactive when it is no longer taken.',
    ],
    ['records'],
  ),
  listCompanies: help(
    'The companies that own stores and kitchens.',
    [
      'Use the button at the top to add a company.',
      'Open a company to see its papers and when they expire.',
      'Give a store its company on the store’s own page.',
    ],
    ['records'],
  ),
  listCompany: help(
    'One company: its address, tax number and papers, such as the mayor’s permit.',
    [
      'Choose «Edit company» to change its details.',
      'Choose «Add document» to keep a permit with its expiry.',
      'Choose «History» to see who changed what.',
    ],
  ),
  listSuppliers: help(
    'Whom the group buys from, with contacts and payment terms.',
    [
      'Use the button at the top to add a supplier, or import a file.',
      'Open a supplier to see its phone and contact person.',
      'Filter by name to find one quickly.',
    ],
    ['records'],
  ),
  listCommissaries: help(
    'The kitchens that make and send goods to stores.',
    [
      'Use the button at the top to add a kitchen.',
      'Mark one as the default: it takes adjustments without a place.',
      'Open one to change its contact and address.',
    ],
    ['records'],
  ),
  listWarehouses: help(
    'Where dry goods are kept before they go to the stores.',
    [
      'Use the button at the top to add a warehouse.',
      'Open one to change its contact and address.',
      'Choose a warehouse as source in a store’s delivery days.',
    ],
    ['records'],
  ),
  listColdStorages: help(
    'Where chilled and frozen goods are kept before they go to the stores.',
    [
      'Use the button at the top to add a cold storage.',
      'Open one to change its contact and address.',
      'Count what it holds on «Stock-takes».',
    ],
    ['records'],
  ),
  listRegionalAreas: help(
    'Parts of the country where the stores are. Reports can be limited to one.',
    [
      'Use the button at the top to add an area.',
      'Give a store its area on the store’s own page.',
      'Open one to rename it: stores keep it.',
    ],
    ['records'],
  ),
  listOperationalAreas: help(
    'Areas that managers look after. An area can be inside another.',
    [
      'Use the button at the top to add an area with its code.',
      'Choose a parent to put an area inside another.',
      'Give a store its area on the store’s own page.',
    ],
    ['records', 'tree'],
  ),
  listPosItems: help(
    'What the tills sell. Each item says which ingredients it uses, so that sales become usage.',
    [
      'Add root items to an item that has none yet.',
      'Change a recipe from today, or from an earlier day.',
      'Make an item a variant to use the ingredients of another.',
    ],
    ['records'],
  ),
  listRootItems: help(
    'The ingredients that usage, counts and forecasts are measured in, with their prices.',
    [
      'Use the button at the top to add an ingredient.',
      'Add a price with the day it starts.',
      'Look at the proposed prices from receipts and accept them.',
    ],
    ['records'],
  ),
  listProposedPrices: help(
    'Prices that receipts from suppliers propose for ingredients. A price counts only once it is accepted.',
    [
      'Compare the proposed price with the price in force.',
      'Choose «Accept» to use it, or «Dismiss».',
      'Open the receipt to see where the price comes from.',
    ],
    ['list'],
  ),
  listStoreRootItems: help(
    'How much of each ingredient a store keeps: its par level, its minimum and where it is stored.',
    [
      'Add an ingredient for a store, each once.',
      'Set the par level: what should be there after a delivery.',
      'Set the minimum below which more is ordered.',
    ],
    ['records'],
  ),
  listStoreInventoryItems: help(
    'What store staff see and count. Each item stands for an ingredient, with its units, packs and barcodes.',
    [
      'Use the button at the top to add an item to count.',
      'Choose «Visibility» to say which stores count it.',
      'Choose «Mixes» if an item is made by several recipes.',
    ],
    ['records'],
  ),
  listRecipes: help(
    'What the kitchen makes batch by batch: what goes in, how much comes out and what it costs.',
    [
      'Use the button at the top to add a recipe.',
      'Enter the yield to see what one unit costs.',
      'Make a recipe inactive when it is no longer made.',
    ],
    ['records'],
  ),
} as const;
