import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '#/api/client';
import { useComesWhole } from '#/api/names';
import { useCan } from '#/api/session';
import type { Delivery, ShipmentLine } from '#/documents/deliveries';
import type { GridModel } from '#/grid/model';
import { LOTS, LOTS_PAGE, type LotItem } from '#/stock/api';
import { Expiry } from '#/stock/Expiry';
import { DateField } from '#/ui/DateField';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { qty } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { faultOf, kindOfUnit, numberOf, showNumber } from '#/ui/numberInput';
import classes from './PickList.module.css';

interface Props {
  delivery: Delivery;
  line: ShipmentLine;
  model: GridModel;
  onClose(): void;
}

/** A line's picked quantity and lot; the sender's lots, first to expire first. */
export function PickChange({ delivery, line, model, onClose }: Props) {
  const whole = useComesWhole();
  const reads = kindOfUnit(line.uomCode, whole(line.uomId));
  const text = (column: 'picked' | 'lot' | 'expiry', saved: string) =>
    model.text(line.id, column) ?? saved;
  const [picked, setPicked] = useState(
    () => text('picked', showNumber(line.picked, reads)) || showNumber(line.ordered, reads),
  );
  const [lot, setLot] = useState(() => text('lot', line.lot ?? ''));
  const [expiry, setExpiry] = useState(() => text('expiry', line.expiry ?? ''));
  const number = numberOf(picked, reads);
  const fault = faultOf(picked, reads, line.uomCode);
  const lots = useLots(delivery, line);

  function save(): void {
    model.set([
      { row: line.id, column: 'picked', text: picked, as: reads },
      { row: line.id, column: 'lot', text: lot.trim() },
      { row: line.id, column: 'expiry', text: expiry },
    ]);
    model.commit();
    onClose();
  }

  return (
    <DrawerFrame opened title={line.name} onClose={onClose}>
      <form
        className={classes.change}
        onSubmit={(event) => {
          event.preventDefault();
          if (number !== null && number >= 0) save();
        }}
      >
        <TextInput
          label={`Picked, of ${qty(line.ordered)} ${line.uomCode}`}
          size="md"
          {...numberField(reads, line.uomCode)}
          data-autofocus
          value={picked}
          error={fault ?? (number !== null && number < 0 ? 'Enter zero or more.' : null)}
          onChange={(event) => setPicked(event.currentTarget.value)}
        />
        <TextInput
          label="Lot"
          size="md"
          value={lot}
          autoComplete="off"
          onChange={(event) => setLot(event.currentTarget.value)}
        />
        <DateField label="Expiry" size="md" value={expiry} onChange={(date) => setExpiry(date)} />
        {lots.length > 0 && (
          <fieldset className={classes.lots}>
            <legend>Lots there, first to expire first</legend>
            {lots.map((one) => (
              <button
                key={one.lot}
                type="button"
                aria-pressed={one.lot === lot}
                disabled={Boolean(one.recalledAt)}
                onClick={() => {
                  setLot(one.lot);
                  setExpiry(one.expiry ?? '');
                }}
              >
                <b>{one.lot}</b>
                <span>
                  {one.recalledAt ? (
                    'Recalled'
                  ) : (
                    <Expiry expiry={one.expiry} daysLeft={one.daysLeft} />
                  )}
                </span>
                <span className="num">
                  {qty(hereOf(one, delivery))} {one.uomCode}
                </span>
              </button>
            ))}
          </fieldset>
        )}
        <Button type="submit" size="md">
          Done
        </Button>
      </form>
    </DrawerFrame>
  );
}

const hereOf = ({ places }: LotItem, { sourceId }: Delivery) =>
  places.filter(({ placeId }) => placeId === sourceId).reduce((all, one) => all + one.qty, 0);

/** The lots of the line's product at the sender. */
function useLots(delivery: Delivery, line: ShipmentLine): readonly LotItem[] {
  const may = useCan(LOTS_PAGE);
  const { productId } = line;
  const { sourceId, sourceType } = delivery;
  const { data } = useQuery({
    queryKey: [...LOTS, 'of', productId, sourceId],
    queryFn: ({ signal }) =>
      request('GET', '/api/stock/lots', {
        query: {
          productId,
          placeKind: sourceType as 'commissary',
          placeId: sourceId ?? undefined,
          pageSize: 30,
        },
        signal,
      }),
    enabled: may && Boolean(sourceId),
  });
  return data?.items ?? [];
}
