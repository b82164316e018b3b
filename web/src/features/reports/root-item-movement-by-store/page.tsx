import type { components } from '#/api/schema.gen';
import { column } from '#/reports/columns';
import { defineReport } from '#/reports/define';
import { Notice, Notices, WithoutSales } from '#/reports/frame/Notices';
import { count, day, plural, shortDay } from '#/ui/format';
import { MovementDrawer } from '../MovementDrawer';
import { MovementPicture, Unknown } from '../MovementPicture';
import { columnsOf, footSays, type MovementRow, rowOf } from '../movement';
import { NothingCounted } from '../NothingCounted';
import { valuesSaid } from '../variance';

type Movement = components['schemas']['RootItemMovement'];
type Chosen = { by: 'range' | 'day' };

const days = [
  column.text<MovementRow>('from', 'Day', 92, (row) => row.from, {
    cell: (row) => <span title={day(row.from)}>{shortDay(row.from)}</span>,
  }),
];

/** What came into each store, left it and was used, in total or by day. */
export default defineReport<Movement, MovementRow, Chosen>({
  page: 'reportRootItemMovement',
  name: 'root-item-movement-by-store',
  usual: 'last-week',
  things: () => ['row', 'rows'],
  rowsAre: () => 'Root item',
  words: ({ by }) => (by === 'day' ? 'Root items by store and day' : 'Root items by store'),
  placeholder: 'Filter root items and stores',
  choices: {
    by: {
      label: 'Rows',
      asked: 'always',
      options: [
        { value: 'range', label: 'All days' },
        { value: 'day', label: 'By day' },
      ],
      clears: ['cell', 'figure'],
    },
  },
  rows: ({ items }) => items.map(rowOf),
  columns: (found) => columnsOf(found, found.chosen.by === 'day' ? days : []),
  foot: footSays,
  aside: ({ answer: { value }, all }) => valuesSaid(value, all),
  notices: ({ answer, answer: { total }, all }) => (
    <Notices>
      <WithoutSales answer={answer}>, so their theoretical use is too low</WithoutSales>
      <Unknown rows={all} />
      {total > all.length && (
        <Notice quiet>
          The first {plural(all.length, 'row')} of {count(total)} are shown; the sums are of all.
          Choose stores or fewer days to see the rest, or export them.
        </Notice>
      )}
    </Notices>
  ),
  nothing: () => <NothingCounted />,
  onName: 'filter',
  kindBesideName: 'always',
  chart: (shown) => <MovementPicture {...shown} />,
  drawer: (state) => <MovementDrawer state={state} />,
});
