import { signed } from '#/reports/columns';
import type { Shown } from '#/reports/found';
import { Notice } from '#/reports/frame/Notices';
import { Picture } from '#/reports/Picture';
import { span } from '#/reports/question/weeks';
import { UnitChoice } from '#/reports/UnitChoice';
import { money, plural, signedMoney } from '#/ui/format';
import { sum } from '#/ui/sums';
import { type MovementRow, openFigure, unknownIn } from './movement';
import { barLabel } from './storeRows';
import { netOf, type VarianceValues } from './variance';

const IN_CHART = 16;
const ON_PHONE = 7;

/** What is unknown about the rows, and why. */
export function Unknown({ rows }: { rows: readonly MovementRow[] }) {
  const unknown = unknownIn(rows);
  if (unknown === 0) return null;
  return (
    <Notice quiet>
      {unknown === rows.length ? 'No row has' : `${plural(unknown, 'row has', 'rows have')} no`}{' '}
      {unknown === rows.length && 'an '}actual use or variance: nothing was counted before the first
      day, or something was counted for the first time since. Choose a later first day to see them.
    </Notice>
  );
}

interface Answer {
  value: VarianceValues;
}

/** What is missing and what is more than expected in some rows, in pesos. */
function valuesOf(rows: readonly MovementRow[]): VarianceValues {
  const values = rows.map(({ varianceValue }) => varianceValue ?? 0);
  const loss = sum(values.filter((value) => value < 0));
  const gain = sum(values.filter((value) => value > 0));
  return { loss, gain, net: netOf(rows) };
}

/** The largest variances by value of the rows of one unit, as bars; a bar opens its parts. */
export function MovementPicture<A extends Answer, C>(shown: Shown<A, MovementRow, C>) {
  const { state, answer, added, units, group, filtered } = shown;
  const apart = units.length > 1;
  const { loss, gain, net } = apart || filtered ? valuesOf(added) : answer.value;
  const within = apart && group ? ` in ${group.unit ?? 'no unit'}` : '';
  const led = added
    .filter(({ varianceValue }) => varianceValue)
    .toSorted((a, b) => Math.abs(b.varianceValue ?? 0) - Math.abs(a.varianceValue ?? 0))
    .slice(0, state.phone ? ON_PHONE : IN_CHART);
  // Without a price, or without counts at both ends, there is nothing to draw.
  if (led.length === 0) return null;
  const values = led.map(({ varianceValue }) => varianceValue ?? null);
  return (
    <Picture
      state={state}
      title="Largest variances, ₱"
      summary={`${span(state.range)}${within}: ${money(loss)} missing and ${money(gain)} more than expected; net ${money(net)}.`}
      height={220}
      kind="bar"
      points={led.map((row) => ({
        key: row.id,
        ...barLabel(row, shown.all),
        title: `${row.name}, ${row.storeName}, ${span(row)}: ${signed(row.variance ?? 0)} ${row.unit ?? ''}`,
      }))}
      series={[{ id: 'value', label: 'Variance', values, mark: 0 }]}
      format={signedMoney}
      onPick={(key) => {
        const row = led.find(({ id }) => id === key);
        if (row) openFigure(state, row, 'variance');
      }}
      aside={<UnitChoice {...shown} />}
    />
  );
}
