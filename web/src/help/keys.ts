export interface Keys {
  readonly title: string;
  /** A key and what it does. */
  readonly keys: readonly (readonly [key: string, what: string])[];
}

/** The keys that work on every page. */
export const everywhere: Keys = {
  title: 'Everywhere',
  keys: [
    ['Ctrl K', 'Search, jump to a page or record'],
    ['?', 'Show this help'],
    ['Esc', 'Close what is open'],
    ['Ctrl Enter', 'Save, or confirm the dialog'],
    ['Enter', 'In a dialog: confirm it'],
  ],
};

/** The keys of each kind of page. */
export const keySets = {
  list: {
    title: 'List',
    keys: [
      ['↓ or J', 'Next row'],
      ['↑ or K', 'Previous row'],
      ['Enter', 'Open the row'],
      ['/', 'Filter'],
    ],
  },
  records: {
    title: 'List',
    keys: [
      ['↓ or J', 'Next row'],
      ['↑ or K', 'Previous row'],
      ['Enter', 'Open the row'],
      ['E', 'Edit the row'],
      ['X', 'Select the row'],
      ['N', 'New record'],
      ['/', 'Filter'],
      ['Ctrl Z', 'Undo the last change made here'],
    ],
  },
  tree: {
    title: 'Rows inside rows',
    keys: [
      ['Alt ↑ ↓', 'Move the row up or down'],
      ['Alt → ←', 'Move it under the row above, or back out'],
    ],
  },
  grid: {
    title: 'Quantities',
    keys: [
      ['Enter', 'Go to the next line'],
      ['↑ ↓ ← →', 'Move to another cell'],
      ['F2', 'Change the number in the cell'],
      ['Esc', 'Take back what is being typed'],
      ['Ctrl D', 'Copy the cell above'],
      ['Ctrl Z', 'Undo'],
      ['Ctrl S', 'Save'],
    ],
  },
  find: {
    title: 'Finding',
    keys: [['/', 'Find an item']],
  },
  cells: {
    title: 'Table of figures',
    keys: [
      ['↑ ↓ ← →', 'Move to another figure'],
      ['Enter', 'Open what is behind the figure'],
      ['Home, End', 'First or last column'],
      ['/', 'Filter'],
    ],
  },
  shares: {
    title: 'Shares',
    keys: [
      ['Enter', 'Go to the next product'],
      ['F2', 'Change the number in the cell'],
      ['Esc', 'Take back what was typed'],
      ['Ctrl Z', 'Undo'],
    ],
  },
  counting: {
    title: 'Counting',
    keys: [
      ['Enter', 'Save the number, go to the next item'],
      ['↑ ↓', 'Save it, go to the item before or after'],
      ['Esc', 'Save it, go back to the list'],
    ],
  },
  readings: {
    title: 'Review of Z-readings',
    keys: [
      ['Enter', 'Next doubtful field'],
      ['Ctrl Enter', 'Verify and go on'],
      ['Ctrl Shift Enter', 'Leave it for later'],
      ['N', 'New reading, from every view'],
    ],
  },
  builder: {
    title: 'Report builder',
    keys: [
      ['/', 'Type the report'],
      ['Ctrl S', 'Save the report'],
    ],
  },
} as const satisfies Record<string, Keys>;

export type KeySet = keyof typeof keySets;
