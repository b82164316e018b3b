import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { tinText } from '#/ui/tin';

const TITLES = ['Mr.', 'Ms.', 'Mrs.', 'Dr.', 'Engr.', 'Atty.'];
const SUFFIXES = ['Jr.', 'Sr.', 'II', 'III'];
const TERMS = ['Due on receipt', 'COD', 'Net 7', 'Net 15', 'Net 30', 'Net 60'];

type Supplier = components['schemas']['Supplier'];

export default listPage(
  defineList<Supplier>({
    slug: 'suppliers',
    permission: 'lists/allLists',
    name: 'name',
    drawer: 600,
    remote: true,
    fields: [
      {
        section: 'Name',
        kind: 'text',
        name: 'name',
        label: 'Display name',
        required: true,
        wide: true,
        hint: 'As it is shown everywhere.',
        column: { label: 'Supplier' },
      },
      {
        kind: 'text',
        name: 'companyName',
        label: 'Company name',
        wide: true,
        column: { width: 200, hidden: true },
      },
      { kind: 'text', name: 'title', label: 'Title', max: 50, suggest: TITLES, column: false },
      { kind: 'text', name: 'firstName', label: 'First name', column: false },
      { kind: 'text', name: 'middleName', label: 'Middle name', column: false },
      { kind: 'text', name: 'lastName', label: 'Last name', column: false },
      { kind: 'text', name: 'suffix', label: 'Suffix', max: 50, suggest: SUFFIXES, column: false },

      {
        section: 'Contact',
        kind: 'text',
        name: 'contactPerson',
        label: 'Contact person',
        column: { width: 170 },
      },
      { kind: 'email', name: 'email', label: 'Email', column: { width: 210 } },
      {
        kind: 'text',
        name: 'phone',
        label: 'Phone',
        max: 100,
        column: { width: 150, phone: 'end' },
      },
      {
        kind: 'text',
        name: 'mobileNumber',
        label: 'Mobile number',
        max: 100,
        column: { width: 150, hidden: true, phone: 'none' },
      },
      {
        kind: 'text',
        name: 'fax',
        label: 'Fax',
        max: 100,
        column: { width: 130, hidden: true, phone: 'none' },
      },
      { kind: 'text', name: 'otherContact', label: 'Other contact', column: false },
      {
        kind: 'web',
        name: 'website',
        label: 'Website',
        wide: true,
        column: { width: 190, hidden: true, phone: 'none' },
      },

      {
        section: 'Address',
        kind: 'text',
        name: 'streetAddress',
        label: 'Street address',
        wide: true,
        column: { width: 220, hidden: true, phone: 'none' },
      },
      {
        kind: 'text',
        name: 'streetAddress2',
        label: 'Street address 2',
        wide: true,
        column: false,
      },
      { kind: 'text', name: 'city', label: 'City', column: { width: 140, phone: 'none' } },
      {
        kind: 'text',
        name: 'province',
        label: 'Province',
        column: { width: 140, hidden: true, phone: 'none' },
      },
      { kind: 'text', name: 'zipCode', label: 'ZIP code', max: 20, column: false },
      {
        kind: 'text',
        name: 'country',
        label: 'Country',
        column: { width: 130, hidden: true, phone: 'none' },
      },

      {
        section: 'Accounting',
        kind: 'text',
        name: 'taxId',
        label: 'Tax ID',
        max: 50,
        tidy: tinText,
        column: { width: 150, hidden: true, phone: 'none' },
      },
      {
        kind: 'text',
        name: 'paymentTerms',
        label: 'Payment terms',
        suggest: TERMS,
        column: { width: 140, phone: 'none' },
      },
      { kind: 'text', name: 'accountNumber', label: 'Account number', max: 100, column: false },
      {
        kind: 'text',
        name: 'expenseCategory',
        label: 'Expense category',
        column: { width: 160, hidden: true, phone: 'none' },
      },
      {
        kind: 'money',
        name: 'openingBalance',
        label: 'Opening balance',
        signed: true,
        added: true,
        column: { width: 170, hidden: true },
      },
      {
        kind: 'date',
        name: 'openingBalanceDate',
        label: 'As of',
        column: { width: 130, hidden: true, phone: 'none', label: 'Balance as of' },
      },
      { kind: 'long', name: 'notes', label: 'Notes', column: false },
    ],
    empty: 'Whom the group buys from. Import a file or make the first one.',
  }),
);
