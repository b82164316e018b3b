import { Button, Drawer } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { Changes } from '#/history/Changes';
import { recordPath } from '#/records';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { count } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { kindOf } from '../labels';
import { outcomeOf } from '../states';
import type { ImportList, Row } from '../types';
import classes from './RowDrawer.module.css';
import { changesOf, labelsOf } from './rowLabels';

interface Props {
  row: Row | null;
  list: ImportList;
  /** The rows are written, so their records can be opened. */
  written: boolean;
  before: Row | undefined;
  after: Row | undefined;
  onGo(row: Row): void;
  onClose(): void;
}

/** One row in full: every field before and after, and its problems. */
export function RowDrawer({ row, list, written, before, after, onGo, onClose }: Props) {
  return (
    <DrawerFrame opened={row !== null} title={row?.name || 'Row of the file'} onClose={onClose}>
      {row && (
        <div className={classes.frame}>
          <Drawer.Body className={classes.body}>
            <Told row={row} list={list} />
          </Drawer.Body>
          <footer className={classes.footer}>
            <Button.Group>
              <Step to={before} label="Previous row" icon={IconArrowUp} onGo={onGo} />
              <Step to={after} label="Next row" icon={IconArrowDown} onGo={onGo} />
            </Button.Group>
            <span className={classes.space} />
            {written && row.outcome !== 'failed' && <OpenRecord row={row} list={list} />}
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </footer>
        </div>
      )}
    </DrawerFrame>
  );
}

function Told({ row, list }: { row: Row; list: ImportList }) {
  const labels = useMemo(() => labelsOf(list), [list]);
  const labelOf = (field: string) => labels.find(({ name }) => name === field)?.label;
  const { tone, label } = outcomeOf[row.outcome];
  const changes = changesOf(row);
  return (
    <>
      <p className={classes.place}>
        <StatusPill tone={tone}>{label}</StatusPill> Row {count(row.row)} of the file
      </p>
      {row.note && <p className={classes.note}>{row.note}</p>}
      {row.problems.length > 0 && (
        <ul className={classes.problems}>
          {row.problems.map(({ field, value, message }) => (
            <li key={`${field} ${message}`}>
              {labelOf(field) && <strong>{labelOf(field)}</strong>}
              {value && <code>{value}</code>}
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && <Changes changes={changes} action={row.outcome} labels={labels} />}
      {row.outcome === 'unchanged' && <p className={classes.same}>This row changes nothing.</p>}
    </>
  );
}

interface StepProps {
  to: Row | undefined;
  label: string;
  icon: typeof IconArrowUp;
  onGo(row: Row): void;
}

function Step({ to, label, icon: Picture, onGo }: StepProps) {
  return (
    <Button
      variant="default"
      px={10}
      aria-label={label}
      title={label}
      disabled={!to}
      onClick={() => to && onGo(to)}
    >
      <Picture size={17} stroke={1.7} aria-hidden />
    </Button>
  );
}

function OpenRecord({ row, list }: { row: Row; list: ImportList }) {
  const path = row.recordId ? recordPath(kindOf(list.slug), row.recordId) : null;
  if (!path) return null;
  return (
    <Button variant="default" component={Link} to={path}>
      Open {list.one}
    </Button>
  );
}
