import { Link } from 'react-router';
import { recordPath } from '#/records';
import { count } from '#/ui/format';
import type { Uses } from './api';
import classes from './UseList.module.css';

/** «3 recipes: Adobo, Sinigang, …», each a link. */
export function UseList({ uses }: { uses: Uses['uses'] }) {
  return (
    <ul>
      {uses.map(({ kind, label, count: many, records = [] }) => (
        <li key={`${kind} ${label}`}>
          {count(many)} {sentence(label, many)}
          {records.length > 0 && ': '}
          {records.map(({ id, name }, i) => {
            const path = recordPath(kind, id);
            return (
              <span key={id}>
                {i > 0 && ', '}
                {path ? (
                  <Link to={path} className={classes.link}>
                    {name}
                  </Link>
                ) : (
                  name
                )}
              </span>
            );
          })}
          {records.length > 0 && many > records.length && ' …'}
        </li>
      ))}
    </ul>
  );
}

/** The label of a list inside a sentence: «Recipes» becomes «recipe» for one. */
export function sentence(label: string, many: number): string {
  const words = /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1);
  return many === 1 ? words.replace(/ies$/, 'y').replace(/s$/, '') : words;
}
