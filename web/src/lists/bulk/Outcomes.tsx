import classes from './Outcomes.module.css';

interface Props {
  rows: readonly { name: string; why: string }[];
}

/** The records that were not changed, and why. */
export function Outcomes({ rows }: Props) {
  return (
    <ul className={classes.rows}>
      {rows.map(({ name, why }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two records may have the same name
        <li key={i} className={classes.row}>
          <strong>{name}</strong>
          <span>{why}</span>
        </li>
      ))}
    </ul>
  );
}
