import { Checkbox, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { amount, day, plural } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { numberOf, showNumber } from '#/ui/numberInput';
import { askMonth, type Cmsr, type CmsrDay, FIGURES, setDay } from './api';
import classes from './Cmsr.module.css';

interface Props {
  month: Cmsr;
  day: CmsrDay;
  onClose(): void;
}

const typedOf = (corrections: CmsrDay['corrections']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(corrections).map(([name, value]) => [name, showNumber(value, 'money')]),
  );

const blank = (typed: Record<string, string>) =>
  Object.fromEntries(Object.keys(typed).map((name) => [name, '']));

const LABELS: Record<string, string> = {
  closed: 'The store was closed',
  reason: 'Why',
  source: 'Which sales count',
  ...Object.fromEntries(FIGURES.map(({ figure, title }) => [figure, title])),
};

/** Closes a day, or corrects figures that differ from its readings. */
export function DayDrawer({ month, day: one, onClose }: Props) {
  const [closed, setClosed] = useState(one.closed || one.contradicted === true);
  const [reason, setReason] = useState(one.reason);
  const [source, setSource] = useState(one.source ?? null);
  const doubled = one.doubled ?? [];
  const sources = doubled.flatMap((it) => it.sources);
  const open = doubled.some((it) => it.open);
  const [typed, setTyped] = useState(() => typedOf(one.corrections));
  const saving = useSave<CmsrDay>({
    revision: one.revision,
    reload: async () => {
      const now = await askMonth(month.storeId, month.month);
      return now.content.days.find(({ date }) => date === one.date);
    },
  });
  const error = saving.errorOf;

  const corrections = Object.fromEntries(
    Object.entries(typed)
      .filter(([, text]) => text.trim() !== '')
      .map(([name, text]) => [name, numberOf(text, 'money') ?? text]),
  );
  const save = () =>
    void saving.run(
      (revision) =>
        setDay({
          storeId: month.storeId,
          date: one.date,
          closed,
          corrections: closed ? {} : corrections,
          reason,
          source,
          revision,
        }),
      { said: 'Day saved', onSaved: onClose },
    );

  return (
    <DrawerFrame opened title={day(one.date)} size={480} onClose={onClose}>
      <DrawerForm
        shortcut
        onSubmit={save}
        buttons={
          <SaveButtons busy={saving.busy} onCancel={onClose}>
            Save day
          </SaveButtons>
        }
      >
        <div className={classes.form}>
          <SaveProblem
            save={saving}
            versions={(theirs) =>
              compare(
                LABELS,
                { closed, reason, source, ...typed },
                { ...theirs, ...blank(typed), ...typedOf(theirs.corrections) },
              )
            }
            onTheirs={(theirs) => {
              setClosed(theirs.closed);
              setReason(theirs.reason);
              setSource(theirs.source ?? null);
              setTyped(typedOf(theirs.corrections));
              saving.setProblem(null);
            }}
          />
          <p>
            Made of {plural(one.readings, 'verified Z-reading')}
            {one.waiting > 0 && `; ${one.waiting} still to be verified`}. {one.reasons?.join(' ')}
          </p>
          <Checkbox
            label="The store was closed"
            checked={closed}
            error={error('closed')}
            disabled={one.readings > 0 && !closed}
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
