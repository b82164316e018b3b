import { Button } from '@mantine/core';
import { IconCalendarStats } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';
import { spec } from '#/paths';
import { column } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import { FixLink, Notice, Notices } from '#/reports/frame/Notices';
import { span, weekName } from '#/reports/question/weeks';
import { EmptyState } from '#/ui/EmptyState';
import { count, DOT, money, plural } from '#/ui/format';
import { MovementDrawer } from '../MovementDrawer';
import { MovementPicture, Unknown } from '../MovementPicture';
import { columnsOf, footSays, type MovementRow, rowOf } from '../movement';
import { unvalued } from '../variance';

type Snapshots = components['schemas']['WeeklySnapshots'];
type Week = components['schemas']['ReportedWeek'];

const weeks = [
  column.text<MovementRow>('from', 'Week', 74, (row) => row.from, {
    cell: (row) => <span title={span(row)}>{weekName(row.from)}</span>,
  }),
];

const isMissing = ({ madeAt, over }: Week) => over && madeAt == null;

/** The same figures by week, from the weekly snapshots. */
export default defineReport<Snapshots, MovementRow>({
  page: 'reportsRootItemWeeklySnapshot',
  name: 'root-item-weekly-snapshot',
  usual: 'last-week',
  things: () => ['row', 'rows'],
  rowsAre: () => 'Root item',
  words: () => 'Root items by store and week',
  placeholder: 'Filter root items and stores',
  rows: ({ items }) => items.map(rowOf),
  // For a single week it would repeat the same value in every row, and push the variance out of sight.
  columns: (found) => columnsOf(found, found.answer.weeks.length > 1 ? weeks : []),
  foot: footSays,
  aside: ({ answer: { value, weeks }, all }) => {
    const made = weeks.filter(({ madeAt }) => madeAt != null);
    const frozen = made.filter(({ frozen }) => frozen).length;
    const worth = unvalued(value.net, all) ?? `${money(value.net)} net variance`;
    return `${worth}${DOT}${frozen} of ${plural(made.length, 'week')} frozen`;
  },
  notices: ({ answer: { weeks, total }, all }) => {
    const missing = weeks.filter(isMissing);
    return (
      <Notices>
        {missing.length > 0 && (
          <Notice>
            {missing.length > 4
              ? plural(missing.length, 'week has', 'weeks have')
              : `${missing.map(({ week }) => weekName(week)).join(', ')} ${missing.length === 1 ? 'has' : 'have'}`}{' '}
            no snapshot yet. <FixLink page="toolsRootItemWeeklySnapshot">Make snapshots</FixLink>
          </Notice>
        )}
        <Unknown rows={all} />
        {total > all.length && (
          <Notice quiet>
            The first {plural(all.length, 'row')} of {count(total)} are shown; the sums are of all.
            Choose stores or fewer weeks to see the rest, or export them.
          </Notice>
        )}
      </Notices>
    );
  },
  nothing: () => <NoSnapshots />,
  onName: 'filter',
  kindBesideName: 'always',
  chart: (shown) => <MovementPicture {...shown} />,
  drawer: (state, shown) => <MovementDrawer state={state} kept={shown?.all} />,
});

function NoSnapshots() {
  const may = useCan('tools/services', 'view');
  return (
    <EmptyState
      icon={IconCalendarStats}
      title="No snapshots of these weeks"
      text="A snapshot keeps what each store had, received and used in a week. Every Monday the week before is made."
      action={
        may && (
          <Button variant="default" component={Link} to={spec('toolsRootItemWeeklySnapshot').path}>
            Make snapshots
          </Button>
        )
      }
    />
  );
}
