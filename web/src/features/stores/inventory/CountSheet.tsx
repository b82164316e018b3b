import { Button } from '@mantine/core';
import { IconPlugConnectedX, IconPrinter } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Problem } from '#/api/problem';
import { markText } from '#/stock/marks';
import { today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { day, inFull } from '#/ui/format';
import { Page } from '#/ui/Page';
import { type Sheet, useSheet } from './api';
import classes from './CountSheet.module.css';

/** A printable sheet for counting on paper. */
export function CountSheet({ storeId, onClose }: { storeId: string; onClose(): void }) {
  const query = useSheet(storeId);
  const areas = useMemo(() => byArea(query.data?.items ?? []), [query.data]);
  return (
    <Page
      title={`Count sheet${query.data ? `, ${query.data.storeName}` : ''}`}
      narrow
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            Back
          </Button>
          <Button
            leftSection={<IconPrinter size={16} stroke={1.7} aria-hidden />}
            onClick={() => window.print()}
            disabled={!query.data}
          >
            Print
          </Button>
        </>
      }
    >
      {query.error && (
        <EmptyState
          icon={IconPlugConnectedX}
          role="alert"
          title="The count sheet could not be loaded"
          text={Problem.of(query.error).message}
          action={
            <Button variant="default" onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        />
      )}
      <p className={classes.head}>
        <span>Date: {day(today())}</span>
        <span>Opening ☐ Closing ☐</span>
        <span>Counted by: ______________________</span>
      </p>
      {areas.map(([area, items]) => (
        <table key={area} className={classes.sheet}>
          <caption>{area}</caption>
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Packs</th>
              <th scope="col">Unit</th>
              <th scope="col">Counted</th>
              <th scope="col">Note</th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.id}>
                <th scope="row">
                  {item.name} {item.code && <small>{item.code}</small>}
                  {item.marked && <p className={classes.mark}>{markText(item.marked)}</p>}
                </th>
                <td>
                  {item.packs
                    .map(({ uomCode, factor }) => `${uomCode} = ${inFull(factor)}`)
                    .join(', ')}
                </td>
                <td>{item.uomCode}</td>
                <td />
                <td />
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </Page>
  );
}

function byArea(items: Sheet['items']): [string, Sheet['items']][] {
  const areas = new Map<string, Sheet['items']>();
  for (const item of items) {
    const area = item.storageArea || 'Other';
    areas.set(area, [...(areas.get(area) ?? []), item]);
  }
  return [...areas];
}
