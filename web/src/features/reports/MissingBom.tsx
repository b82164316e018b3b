import { Button } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { Link, Navigate, useLocation } from 'react-router';
import { mayOpen, useMe } from '#/api/session';
import { type PageKey, pages, queryString, to } from '#/paths';
import type { Gap } from '#/reports/api';
import classes from '#/reports/frame/Report.module.css';
import type { ReportState } from '#/reports/question/useReport';
import { span } from '#/reports/question/weeks';
import { EmptyState } from '#/ui/EmptyState';
import { plural } from '#/ui/format';

interface Props {
  /** Sold POS items without a bill of materials. */
  gap: Gap;
  /** Sold items that are not POS items yet. */
  unmapped: Gap;
  state: ReportState;
}

/** Whether a link asked for POS items where there are no root items. */
function isOrPosItems(state: unknown): boolean {
  return typeof state === 'object' && state !== null && 'orPosItems' in state;
}

/** There are sales, but none lead to a root item: what is missing, and where to fix it. */
export function MissingBom({ gap, unmapped, state }: Props) {
  const me = useMe();
  const asked: unknown = useLocation().state;
  const posItems = to('reportWeeklyRootItemSales', null, {
    from: state.range.from,
    to: state.range.to,
    stores: state.filters.storeIds.join(','),
    areas: state.filters.areaIds.join(','),
    by: 'pos',
  });
  const open = (page: PageKey) => mayOpen(me, page);
  const words = [
    gap.items > 0 && `${plural(gap.items, 'POS item has', 'POS items have')} no bill of materials`,
    unmapped.items > 0 && `${plural(unmapped.items, 'item is', 'items are')} not mapped`,
  ].filter(Boolean);
  if (isOrPosItems(asked)) return <Navigate to={posItems} replace />;
  const why = words.length > 0 ? words.join(' and ') : 'What was sold uses no root item';
  return (
    <section className={classes.frame}>
      <EmptyState
        icon={IconReceipt}
        role="status"
        title="Sales are in, but no root items"
        text={`Something was sold, ${span(state.range)}. ${why}, so no root item usage can be shown. See what was sold by POS items, or say what they are made of.`}
        action={
          <span className={classes.ways}>
            <Button component={Link} to={posItems}>
              Show POS items
            </Button>
            {gap.items > 0 && open('listPosItems') && (
              <Button variant="default" component={Link} to={pages.listPosItems.path}>
                Add bills of materials
              </Button>
            )}
            {unmapped.items > 0 && open('toolsImportSales') && (
              <Button
                variant="default"
                component={Link}
                to={pages.toolsImportSales.path + queryString({ unmapped: '1' })}
              >
                Map items
              </Button>
            )}
          </span>
        }
      />
    </section>
  );
}
