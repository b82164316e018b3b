import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconCamera, IconCheck, IconPencil } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import type { Delivery, ShipmentLine } from '#/documents/deliveries';
import { useStamp } from '#/grid/EntryGrid';
import type { GridModel } from '#/grid/model';
import { useBarcodes } from '#/offline/barcodes';
import { DOT, day, plural, qty } from '#/ui/format';
import { canScan } from '#/ui/Scan';
import { unknownCode } from '#/ui/unknownCode';
import { useScanner } from '#/ui/useScanner';
import { PickChange } from './PickChange';
import classes from './PickList.module.css';
import { lineOfCode } from './pick';

const Scan = lazy(() => import('#/ui/Scan').then((module) => ({ default: module.Scan })));

interface Props {
  delivery: Delivery;
  model: GridModel;
  errors: ReadonlyMap<string, string>;
  load: string;
}

/** Picking with a phone: a tap picks a line in full, a scan finds it, the next one follows automatically. */
export function PickList({ delivery, model, errors, load }: Props) {
  useStamp(model);
  const [code, setCode] = useState('');
  const [told, setTold] = useState('');
  const [scanning, setScanning] = useState(false);
  const [changing, setChanging] = useState<ShipmentLine | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const barcodes = useBarcodes();
  const pickedOf = (line: ShipmentLine) => model.number(line.id, 'picked', line.picked ?? null);
  const open = delivery.lines.filter((line) => pickedOf(line) === null);

  function set(line: ShipmentLine, text: string): void {
    model.set([{ row: line.id, column: 'picked', text }]);
    model.commit();
  }

  function pick(line: ShipmentLine): void {
    set(line, String(line.ordered));
    const next = open.find(({ id }) => id !== line.id);
    setTold(next ? `${line.name} picked` : 'Everything is picked');
    const row = next && list.current?.querySelector(`[data-line="${CSS.escape(next.id)}"]`);
    row?.scrollIntoView({ block: 'nearest' });
  }

  function find(text: string): boolean {
    const found = lineOfCode(delivery.lines, open, text, barcodes);
    if (found === null) {
      setTold(`No item of this delivery has ${text}`);
      return false;
    }
    if (found === 'several') {
      setTold(`Several items have ${text}; type more of it`);
      return false;
    }
    setCode('');
    if (pickedOf(found) === null) pick(found);
    else setTold(`${found.name} is picked already`);
    return true;
  }

  useScanner((text) => {
    if (!find(text))
      unknownCode(text, { label: 'Find it by name', open: () => box.current?.focus() });
  });

  const done = delivery.lines.length - open.length;
  return (
    <div className={`${classes.picking} no-print`}>
      <form
        className={classes.scan}
        onSubmit={(event) => {
          event.preventDefault();
          if (code.trim()) find(code.trim());
        }}
      >
        <TextInput
          ref={box}
          aria-label="Scan or find an item"
          placeholder="Scan, or type SKU, lot or name"
          value={code}
          enterKeyHint="search"
          autoComplete="off"
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        {canScan() && (
          <ActionIcon
            variant="default"
            size={44}
            aria-label="Scan with the camera"
            onClick={() => setScanning(true)}
          >
            <IconCamera size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
        )}
      </form>
      <div className={classes.state}>
        <b className="num">
          {done} of {delivery.lines.length} picked
        </b>
        {load && <span>Load {load}</span>}
        {load && (
          <span className={classes.fits} data-over={delivery.warnings.length > 0 || undefined}>
            {delivery.warnings.length > 0 ? 'More than the store has room for' : 'Fits the store'}
          </span>
        )}
      </div>
      <progress
        className={classes.bar}
        max={delivery.lines.length}
        value={done}
        aria-label={`${done} of ${plural(delivery.lines.length, 'line')} picked`}
      />
      <p role="status" className={classes.told}>
        {told}
      </p>
      <ul ref={list} className={classes.lines}>
        {delivery.lines.map((line) => {
          const picked = pickedOf(line);
          const error = ['picked', 'lot', 'expiry']
            .map((column) => errors.get(`${line.id}/${column}`))
            .find(Boolean);
          const lot = model.text(line.id, 'lot') ?? line.lot ?? '';
          const expiry = model.text(line.id, 'expiry') ?? line.expiry ?? '';
          return (
            <li key={line.id} data-line={line.id} data-picked={picked !== null || undefined}>
              <button
                type="button"
                className={classes.line}
                aria-pressed={picked !== null}
                onClick={() => (picked === null ? pick(line) : set(line, ''))}
              >
                <span className={classes.check} aria-hidden>
                  {picked !== null && <IconCheck size={18} stroke={2.4} />}
                </span>
                <span className={classes.name}>
                  <b>{line.name}</b>
                  <span>
                    {lot ? `Lot ${lot}` : 'No lot'}
                    {expiry && `${DOT}expires ${day(expiry)}`}
                  </span>
                  {error && <em>{error}</em>}
                </span>
                <span className={classes.qty} data-differs={differs(picked, line) || undefined}>
                  {qty(picked ?? line.ordered)} {line.uomCode}
                  {differs(picked, line) && <small>of {qty(line.ordered)}</small>}
                </span>
              </button>
              <ActionIcon
                variant="subtle"
                size={44}
                aria-label={`Change ${line.name}`}
                onClick={() => setChanging(line)}
              >
                <IconPencil size={18} stroke={1.7} aria-hidden />
              </ActionIcon>
            </li>
          );
        })}
      </ul>
      {open.length > 0 && (
        <Button
          variant="light"
          className={classes.all}
          onClick={() => {
            model.set(
              open.map((line) => ({ row: line.id, column: 'picked', text: String(line.ordered) })),
            );
            model.commit();
          }}
        >
          Pick the other {plural(open.length, 'line')} in full
        </Button>
      )}
      {changing && (
        <PickChange
          key={changing.id}
          delivery={delivery}
          line={changing}
          model={model}
          onClose={() => setChanging(null)}
        />
      )}
      {scanning && (
        <Suspense>
          <Scan
            onCode={(text) => {
              const found = find(text);
              if (found) setScanning(false);
              return found;
            }}
            onClose={() => setScanning(false)}
          />
        </Suspense>
      )}
    </div>
  );
}

const differs = (picked: number | null, line: ShipmentLine) =>
  picked !== null && picked !== line.ordered;
