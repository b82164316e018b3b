import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { can, useMe } from '#/api/session';
import { pages, spec } from '#/paths';
import { day } from '#/ui/format';
import type { Inventory } from './api';
import classes from './SalesNotice.module.css';

/** Warns that sales are missing, which makes counts look short. */
export function SalesNotice({ data }: { data: Inventory }) {
  const me = useMe();
  const until = data.soldUntil;
  const last = data.items
    .map(({ lastCount }) => lastCount?.date ?? '')
    .reduce((a, b) => (a > b ? a : b), '');
  if (!last || (until && until >= last)) return null;
  return (
    <p className={classes.notice} role="status">
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      <span>
        {until
          ? `Sales are in up to ${day(until)}, the last count is of ${day(last)}.`
          : 'No sales of this store are in yet.'}{' '}
        “Expected at last count” and “On hand” take no use off for the days that are missing.{' '}
        {can(me, spec('toolsImportSales').can) && (
          <Link to={pages.toolsImportSales.path}>Import sales</Link>
        )}
      </span>
    </p>
  );
}
