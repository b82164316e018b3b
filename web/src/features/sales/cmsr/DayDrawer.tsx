import { Button, Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { DrawerForm } from '#/form/DrawerForm';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { ErrorBox } from '#/ui/ErrorBox';
import { amount, day, plural } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { numberOf, showNumber } from '#/ui/numberInput';
import { done } from '#/ui/toast';
import { type Cmsr, type CmsrDay, FIGURES, send } from './api';
import classes from './Cmsr.module.css';

interface Props {
  month: Cmsr;
  day: CmsrDay;
  onClose(): void;
}

/** A day that was closed, or whose figures are others than its readings'. */
export function DayDrawer({ month, day: one, onClose }: Props) {
  const [closed, setClosed] = useState(one.closed);
  const [reason, setReason] = useState(one.reason);
  const [source, setSource] = useState(one.source ?? null);
  const doubled = one.doubled ?? [];
  const sources = doubled.flatMap((it) => it.sources);
  const open = doubled.some((it) => it.open);
  const [typed, setTyped] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      Object.entries(one.corrections).map(([name, value]) => [name, showNumber(value, 'money')]),
    ),
  );
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const error = (field: string) => problem?.fields.find((it) => it.field === field)?.message;

  async function save(): Promise<void> {
    setBusy(true);
    setProblem(null);
    const corrections = Object.fromEntries(
      Object.entries(typed)
        .filter(([, text]) => text.trim() !== '')
        .map(([name, text]) => [name, numberOf(text, 'money') ?? text]),
    );
    try {
      await send('PUT', '/days', {
        storeId: month.storeId,
        date: one.date,
        closed,
        corrections: closed ? {} : corrections,
        reason,
        source,
        revision: one.revision,
      });
      done('Day saved');
      onClose();
    } catch (refused) {
      setProblem(Problem.of(refused));
    } finally {
      setBusy(false);
    }
  }

  return (
    <DrawerFrame opened title={day(one.date)} size={480} onClose={onClose}>
      <DrawerForm
        shortcut
        onSubmit={() => void save()}
        buttons={
          <>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Save day
            </Button>
          </>
        }
      >
        <div className={classes.form}>
          {problem && problem.fields.length === 0 && <ErrorBox focus>{problem.message}</ErrorBox>}
          <p>
            Made of {plural(one.readings, 'verified Z-reading')}
            {one.waiting > 0 && `; ${one.waiting} still to be verified`}.
          </p>
          <Checkbox
            label="The store was closed"
            checked={closed}
            disabled={one.readings > 0}
            onChange={(event) => setClosed(event.currentTarget.checked)}
          />
          <TextInput
            label="Why"
            value={reason}
            error={error('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {!closed && sources.length > 0 && (
            <Select
              label="Which sales count"
              description={
                open
                  ? `The same sales came from ${sources.join(' and ')} with different discounts, and neither comes to the Z-reading.`
                  : `The same sales came from ${sources.join(' and ')}. Those from ${doubled.map((it) => it.counted).join(' and ')} are counted, once.`
              }
              placeholder={open ? 'Choose where they came from' : 'As the Z-readings say'}
              data={sources}
              value={source}
              clearable
              error={error('source')}
              onChange={setSource}
            />
          )}
          {!closed && (
            <div className={classes.pair}>
              {FIGURES.filter(({ fixed }) => !fixed).map(({ figure, title }) => (
                <TextInput
                  key={figure}
                  label={title}
                  {...numberField('money')}
                  placeholder={amount(one.figures[figure])}
                  value={typed[figure] ?? ''}
                  error={error(`corrections.${figure}`)}
                  onChange={(event) => {
                    const { value } = event.currentTarget;
                    setTyped((now) => ({ ...now, [figure]: value }));
                  }}
                />
              ))}
            </div>
          )}
        </div>
      </DrawerForm>
    </DrawerFrame>
  );
}
