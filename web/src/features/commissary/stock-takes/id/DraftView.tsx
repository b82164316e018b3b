import { Button, Switch, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useComesWhole } from '#/api/names';
import documentClasses from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import { removeColumn } from '#/documents/RemoveLine';
import { StateBar } from '#/documents/StateBar';
import {
  type StockTake,
  type StockTakeHead,
  type StockTakeLine,
  stockTakeDef,
  usePlaceName,
} from '#/documents/stockTakes';
import { useDraft } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid } from '#/grid/EntryGrid';
import type { GridColumn } from '#/grid/types';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { plural } from '#/ui/format';
import { done } from '#/ui/toast';
import { AreaSelect } from '../AreaSelect';
import { type AddedLine, AddLine } from './AddLine';
import { columnsOf } from './columns';
import { Paper } from './Paper';
import classes from './Sheet.module.css';
import { differencesOf, NO_AREA, rowName, rowsOf, type SheetRow } from './sheet';
import { back } from './TakeView';
import { useDifferences } from './useTake';

type Row = SheetRow & { id: string };

/** A stock-take that is planned: where, when, and what is on its sheet. */
export function DraftView({ take }: { take: StockTake }) {
  const place = usePlaceName(take);
  const whole = useComesWhole();
  const typed = useDraft<StockTakeHead, StockTakeLine>(stockTakeDef, take, {
    lineOf: ({ id }) => ({ id }),
  });
  const { head, save, saving } = typed;
  const [adding, setAdding] = useState(false);
  const rows = useMemo<Row[]>(
    () => rowsOf(take.lines, []).map((row) => ({ ...row, id: row.lineId ?? row.key })),
    [take.lines],
  );
  const { data } = useDifferences(take, !take.blind);
  const differences = useMemo(
    () => (!take.blind && data ? differencesOf(rows, data) : null),
    [take.blind, rows, data],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `save` uses the values of that moment
  const columns = useMemo<GridColumn<Row>[]>(
    () => [
      ...columnsOf({ counting: false, differences, worth: null, whole }),
      removeColumn<Row>((id) => {
        const at = take.lines.findIndex((line) => line.id === id);
        void save((lines) => lines.filter((_, i) => i !== at));
      }, rowName),
    ],
    [take, head, differences, whole],
  );
  const saveAndSay = () => void save().then((now) => now && done('Stock-take saved'));

  /** The sheet is of the area, so it is saved at once; a refused one is not kept. */
  async function setArea(areaId: string | null): Promise<void> {
    const now = await save(undefined, { areaId: areaId ?? '' });
    if (now) done(`Sheet made: ${plural(now.lines.length, 'line')}`);
    else typed.setField('areaId', undefined);
  }

  const add = ({ productId, uomId, lot, expiry }: AddedLine) =>
    void save((lines) => [...lines, { productId, uomId, lot, expiry }]);

  return (
    <DocumentFrame
      def={stockTakeDef}
      document={take}
      back={back}
      signatures={['Counted by', 'Checked by']}
      facts={[['Place', place]]}
      actions={
        <StateBar
          def={stockTakeDef}
          document={take}
          before={(step) => (step === 'start' ? save() : Promise.resolve(take))}
          onTaken={typed.forget}
          onRefused={typed.setProblem}
          actions={
            <Button variant="default" loading={saving} disabled={!typed.dirty} onClick={saveAndSay}>
              Save draft
            </Button>
          }
        />
      }
      notices={<DraftProblem problem={typed.problem} />}
    >
      <div className={`${documentClasses.fields} no-print`}>
        <AreaSelect
          size="xs"
          w={200}
          disabled={saving}
          value={String(head.areaId ?? take.areaId ?? '') || null}
          error={typed.errorOf('areaId')}
          onChange={(id) => void setArea(id)}
        />
        <DateField
          size="xs"
          w={150}
          label={stockTakeDef.dateLabel}
          max={today()}
          value={String(head.businessDate ?? take.businessDate)}
          error={typed.errorOf('businessDate')}
          onChange={(date) => typed.setField('businessDate', date)}
        />
        <TextInput
          size="xs"
          w={260}
          label="Notes"
          value={String(head.notes ?? take.notes ?? '')}
          error={typed.errorOf('notes')}
          onChange={(event) => typed.setField('notes', event.currentTarget.value)}
        />
        <Switch
          mt={24}
          label="Blind: hide the ledger's quantities while counting"
          checked={Boolean(head.blind ?? take.blind)}
          onChange={(event) => typed.setField('blind', event.currentTarget.checked)}
        />
      </div>
      <div className={`${classes.bar} no-print`}>
        <span className={classes.status}>{plural(rows.length, 'line')}</span>
        <Button
          size="xs"
          variant="default"
          loading={saving}
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Lot or product
        </Button>
      </div>
      <div className={`${classes.sheet} no-print`}>
        <EntryGrid
          label="Count sheet"
          rows={rows}
          rowId={({ id }) => id}
          rowName={(row) => rowName(row)}
          columns={columns}
          model={typed.model}
          groupOf={({ area }) => ({ id: area, label: area || NO_AREA })}
          onSave={saveAndSay}
          empty="Nothing is in stock here. Add what you expect to find."
        />
      </div>
      <Paper rows={rows} />
      {adding && (
        <AddLine counting={false} rows={rows} onAdd={add} onClose={() => setAdding(false)} />
      )}
      <LeaveGuard dirty={typed.dirty} what={`stock-take ${take.takeNo}`} />
    </DocumentFrame>
  );
}
