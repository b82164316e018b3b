import { compare, type Version } from '#/form/versions';
import { WEEKDAYS } from '#/ui/weekdays';
import type { Connector } from './api';
import { clock } from './labels';

type Told = Pick<Connector, 'name' | 'settings' | 'schedule'>;

/** A connector as texts by the names of its settings, to compare two versions of it. */
const shown = ({ name, settings, schedule }: Told): Record<string, unknown> => ({
  Name: name,
  ...flat(settings),
  When:
    schedule.enabled &&
    [clock(schedule.minutes), ...WEEKDAYS.filter((_, day) => schedule.weekdays & (1 << day))].join(
      ' ',
    ),
});

function flat(settings: object, within = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value !== null && typeof value === 'object'
        ? Object.entries(flat(value, `${within}${name}.`))
        : [[within + name, value]],
    ),
  );
}

/** What differs between two versions of a connector. */
export function versionsOf(mine: Told, theirs: Told): Version[] {
  const [my, their] = [shown(mine), shown(theirs)];
  const names = Object.keys({ ...my, ...their });
  return compare(Object.fromEntries(names.map((name) => [name, name])), my, their);
}
