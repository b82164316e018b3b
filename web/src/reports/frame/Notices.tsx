import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { components } from '#/api/schema.gen';
import { mayOpen, useMe } from '#/api/session';
import { type PageKey, pages, queryString } from '#/paths';
import { toNumber } from '#/ui/dates';
import { plural } from '#/ui/format';
import type { Gap } from '../api';
import classes from './Report.module.css';

/** The page that maps posted items. */
const MAPPING: PageKey = 'toolsImportSales';
const BOMS: PageKey = 'listPosItems';

export function Notices({ children }: { children: ReactNode }) {
  return <div className={classes.notices}>{children}</div>;
}

interface NoticeProps {
  quiet?: boolean;
  children: ReactNode;
}

export function Notice({ quiet, children }: NoticeProps) {
  const Icon = quiet ? IconInfoCircle : IconAlertTriangle;
  return (
    <p className={classes.notice} data-quiet={quiet || undefined}>
      <Icon size={16} stroke={1.8} aria-hidden />
      <span>{children}</span>
    </p>
  );
}

/** What the figures leave out, with links to fix it. */
export function Gaps({ unmapped, withoutBom }: { unmapped: Gap; withoutBom?: Gap }) {
  return (
    <>
      {unmapped.items > 0 && (
        <Notice>
          {plural(unmapped.items, 'item is', 'items are')} not mapped.{' '}
          <FixLink page={MAPPING} search={{ unmapped: '1' }}>
            Map {unmapped.items === 1 ? 'it' : 'them'}
          </FixLink>
        </Notice>
      )}
      {withoutBom && withoutBom.items > 0 && (
        <Notice>
          {plural(withoutBom.items, 'POS item has', 'POS items have')} no bill of materials.{' '}
          <FixLink page={BOMS}>Open POS items</FixLink>
        </Notice>
      )}
    </>
  );
}

/** An answer that names the stores without sales. */
interface WithGaps {
  from: string;
  to: string;
  storesWithoutSales: readonly components['schemas']['StoreGap'][];
}

/** Most stores named in a notice. */
const NAMED = 5;

/** «Cubao (3 days), Pasig (all 7 days) and 2 more stores» */
export function storeGapWords({ from, to, storesWithoutSales }: WithGaps): string {
  const whole = toNumber(to) - toNumber(from) + 1;
  const named = storesWithoutSales.slice(0, NAMED).map(({ name, days }) => {
    const all = days >= whole && days > 1 ? 'all ' : '';
    return `${name} (${all}${plural(days, 'day')})`;
  });
  const rest = storesWithoutSales.length - named.length;
  return named.join(', ') + (rest > 0 ? ` and ${plural(rest, 'more store')}` : '');
}

interface WithoutSalesProps {
  answer: WithGaps;
  /** What the missing sales mean for the figures. */
  children?: ReactNode;
}

/** The stores that were open without sales, with a link to add them. */
export function WithoutSales({ answer, children }: WithoutSalesProps) {
  if (answer.storesWithoutSales.length === 0) return null;
  return (
    <Notice>
      No sales of {storeGapWords(answer)} in this range{children}.{' '}
      <FixLink page={MAPPING}>Import sales</FixLink>
    </Notice>
  );
}

interface FixLinkProps {
  page: PageKey;
  search?: Record<string, string>;
  children: ReactNode;
}

/** A link for users with the permission. */
export function FixLink({ page, search, children }: FixLinkProps) {
  const me = useMe();
  return mayOpen(me, page) ? (
    <Link to={pages[page].path + queryString(search)}>{children}</Link>
  ) : null;
}
