import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { WEEKDAYS } from '#/ui/weekdays';
import classes from './deliveries/Deliveries.module.css';

interface Props {
  title: string;
  busy: boolean;
  onSave(): void;
  /** Absent for a new one. */
  onRemove?(): void;
  onClose(): void;
  children: ReactNode;
}

/** Edits days of a store: saved, or removed. */
export function DaysDrawer({ title, busy, onSave, onRemove, onClose, children }: Props) {
  return (
    <DrawerFrame opened title={title} size={440} onClose={onClose}>
      <DrawerForm
        shortcut
        onSubmit={onSave}
        danger={
          onRemove && (
            <Button variant="subtle" color="red" disabled={busy} onClick={onRemove}>
              Remove
            </Button>
          )
        }
        buttons={
          <SaveButtons busy={busy} onCancel={onClose}>
            Save
          </SaveButtons>
        }
      >
        <div className={classes.form}>{children}</div>
      </DrawerForm>
    </DrawerFrame>
  );
}

interface WeekdaysProps {
  legend: string;
  /** Monday is 1. */
  value: readonly number[];
  error?: string;
  onChange(days: number[]): void;
}

/** A choice of weekdays. */
export function Weekdays({ legend, value, error, onChange }: WeekdaysProps) {
  return (
    <fieldset className={classes.weekdays}>
      <legend>{legend}</legend>
      {WEEKDAYS.map((name, i) => {
        const [day, on] = [i + 1, value.includes(i + 1)];
        return (
          <button
            key={name}
            type="button"
            aria-pressed={on}
            onClick={() =>
              onChange(
                on ? value.filter((one) => one !== day) : [...value, day].sort((a, b) => a - b),
              )
            }
          >
            {name}
          </button>
        );
      })}
      {error && <p role="alert">{error}</p>}
    </fieldset>
  );
}
