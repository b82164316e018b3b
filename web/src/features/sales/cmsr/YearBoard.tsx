import { ActionIcon, Skeleton, VisuallyHidden } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { ErrorBox } from '#/ui/ErrorBox';
import { money, plural, short } from '#/ui/format';
import { monthName } from '#/ui/MonthChoice';
import { type Glance, useYear } from './api';
import classes from './Cmsr.module.css';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WORDS: Record<string, string> = {
  none: '–',
  running: 'Running',
  draft: 'Draft',
  certified: 'Certified',
  submitted: 'Submitted',
};

interface Props {
  year: number;
  onYear(year: number): void;
  hrefOf(storeId: string, month: string): string;
}

/** All stores and months: each one's state, and what blocks it. */
export function YearBoard({ year, onYear, hrefOf }: Props) {
  const { data, error } = useYear(year, true);
  return (
    <>
      <div className={classes.bar}>
        <ActionIcon
          variant="default"
          size={32}
          aria-label="Year before"
          onClick={() => onYear(year - 1)}
        >
          <IconChevronLeft size={16} aria-hidden />
        </ActionIcon>
        <b className="num">{year}</b>
        <ActionIcon
          variant="default"
          size={32}
          aria-label="Year after"
          onClick={() => onYear(year + 1)}
        >
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </div>
      {error && <ErrorBox>{Problem.of(error).message}</ErrorBox>}
      {!data && !error && <Skeleton height={400} radius="md" />}
      {data && (
        <section className={classes.scroll} tabIndex={0} aria-label={`Months of ${year} by store`}>
          <table className={classes.year}>
            <thead>
              <tr>
                <th scope="col">Store</th>
                {MONTHS.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.items.map((store) => (
                <tr key={store.storeId}>
                  <th scope="row">
                    {store.storeName}
                    {store.lessor && <small>{store.lessor}</small>}
                  </th>
                  {store.months.map((month) => (
                    <td key={month.month}>
                      <Cell
                        month={month}
                        store={store.storeName}
                        href={hrefOf(store.storeId, month.month)}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

function Cell({ month, store, href }: { month: Glance; store: string; href: string }) {
  const { state, says, differs, missingDays, undecidedDays, rent } = month;
  const heldDays = Math.max(missingDays, undecidedDays);
  if (state === 'none') return <span className={classes.none}>–</span>;
  const held = heldDays > 0 && state !== 'certified' && state !== 'submitted';
  const words = [`${store}, ${monthName(month.month)}: ${WORDS[state] ?? state}`, says]
    .filter(Boolean)
    .join('. ');
  return (
    <Link
      to={href}
      className={classes.cell}
      data-state={differs ? 'differs' : held && state === 'draft' ? 'held' : state}
      title={rent == null ? words : `${words}. Rent ${money(rent)}`}
    >
      <VisuallyHidden>{`${store}, ${monthName(month.month)}: `}</VisuallyHidden>
      <b>{differs ? 'Differs' : WORDS[state]}</b>
      <small>{rent != null ? short(rent) : held ? plural(heldDays, 'day') : 'ready'}</small>
      {says && <VisuallyHidden>{` ${says}`}</VisuallyHidden>}
    </Link>
  );
}
