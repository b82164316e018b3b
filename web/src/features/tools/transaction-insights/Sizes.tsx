import { useState } from 'react';
import { Chart } from '#/charts/Chart';
import { Legend } from '#/charts/Legend';
import { Plot } from '#/charts/Plot';
import type { Series } from '#/charts/types';
import { ExportButton } from '#/ui/ExportButton';
import { percent, plural, short } from '#/ui/format';
import type { TicketSize } from './api';

interface Props {
  sizes: readonly TicketSize[];
  file?: (format: 'csv' | 'xlsx') => string;
}

const sum = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0);

/** Items per ticket. */
export function Sizes({ sizes, file }: Props) {
  const [lit, setLit] = useState<string | null>(null);
  const largest = sizes.length;
  const now = sizes.map(({ tickets }) => tickets);
  const before = sizes.flatMap(({ before: one }) => (one == null ? [] : [one]));
  const share = (values: readonly number[]) => {
    const all = sum(values);
    return values.map((value) => (all > 0 ? value / all : 0));
  };
  const compared = before.length === largest;
  const series: Series[] = [
    { id: 'now', label: 'Tickets', values: share(now), mark: 0 },
    ...(compared ? [{ id: 'before', label: 'Before', values: share(before), mark: 1 }] : []),
  ];
  const most = now.indexOf(Math.max(...now));
  const word = (items: number) => (items === largest ? `${items} or more` : String(items));
  return (
    <Chart
      title="Items on a ticket"
      summary={`Most tickets have ${plural(most + 1, 'item')}: ${percent(share(now)[most])}.`}
      height={250}
      legend={compared && <Legend kind="line" series={series} lit={lit} onLight={setLit} />}
      aside={file && <ExportButton href={file} />}
    >
      <Plot
        kind={compared ? 'line' : 'bar'}
        points={sizes.map(({ items, tickets }) => ({
          key: String(items),
          label: items === largest ? `${items}+` : String(items),
          title: `${word(items)} ${items === 1 ? 'item' : 'items'}, ${plural(tickets, 'ticket')}`,
        }))}
        series={series}
        lit={lit}
        format={(value) => percent(value)}
        short={(value) => (value > 0 && value < 0.01 ? short(value) : percent(value, 0))}
      />
    </Chart>
  );
}
