import { help } from './types';

const users = help(
  'Who may sign in, with which role and for which stores. Also applications, sessions and what was changed.',
  [
    'Choose «New user»: name, email, role and stores.',
    'Open «Applications» to approve people who asked for access.',
    'Open «Roles» to change what a group of people may do.',
  ],
  ['records'],
);

/** People and accounts. */
export const peopleHelp = {
  users,
  usersTab: users,
  chartOfAccounts: help(
    'The accounts of the books. Products name the accounts that their value goes to.',
    [
      'Choose «Import» for a chart from QuickBooks or NetSuite.',
      'Choose «Add sub-account» to put an account inside another.',
      'Merge two accounts that are the same.',
    ],
    ['records', 'tree'],
  ),
} as const;
