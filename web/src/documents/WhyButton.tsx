import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';
import { day, qty, unitOf } from '#/ui/format';
import type { Why } from './orders';
import classes from './WhyButton.module.css';

/** The figures behind a suggestion, each with its day and source. */
export function WhyButton({
  text,
  label = text,
  why,
  unit,
}: {
  /** The suggested quantity. */
  text: string;
  /** What the button shows, if more than the quantity. */
  label?: ReactNode;
  why: readonly Why[];
  unit: string;
}) {
  if (why.length === 0) return <>{label}</>;
  return (
    <Popover position="bottom-end" width="min(480px, calc(100vw - 24px))" trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={classes.why} aria-label={`Suggested ${text}. Why?`}>
          {label}
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.whyBox}>
        <table className={classes.reasons}>
          <tbody>
            {why.map(({ figure, value, unit: own, date, source }) => (
              <tr key={figure}>
                <th scope="row">{figure}</th>
                <td className="num">
                  {qty(Math.round(value * 1000) / 1000)} {unitOf(value, own ?? unit)}
                </td>
                <td>
                  {source}
                  {date && `, ${day(date)}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Popover.Dropdown>
    </Popover>
  );
}
