import { useState } from 'react';
import type { ImportField, ImportList } from '../types';
import classes from './FieldTable.module.css';

const KIND: Record<ImportField['kind'], string> = {
  id: 'Id',
  path: 'Names',
  text: 'Text',
  lines: 'Text',
  quantity: 'Number',
  money: 'Amount',
  factor: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  date: 'Date',
  reference: 'Name of another record',
  items: 'Lines',
  custom: 'Own fields',
};

/** The possible columns, for users who fill in a file by hand. */
export function FieldTable({ list }: { list: ImportList }) {
  // Mounted on demand: some lists have forty fields.
  const [open, setOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What the columns can be</summary>
      {open && (
        <div className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>Column</th>
                <th>Holds</th>
                <th>To know</th>
              </tr>
            </thead>
            <tbody>
              {list.fields.map(({ name, label, kind, required, hint }) => (
                <tr key={name}>
                  <th scope="row">{label}</th>
                  <td>{KIND[kind]}</td>
                  <td>
                    {[required && 'Every new record needs it.', hint].filter(Boolean).join(' ')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
