import { Button } from '@mantine/core';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCan } from '#/api/session';
import { LeaveGuard } from '#/form/LeaveGuard';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { ErrorBox, NoticeBox } from '#/ui/ErrorBox';
import { day, plural } from '#/ui/format';
import { Kbd } from '#/ui/Kbd';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { done } from '#/ui/toast';
import { STATES, useTerminals, type ZReading } from '../api';
import { FIELDS, type Field, GROUPS, WHY } from '../fields';
import { Picture } from '../Picture';
import { Equations } from './Equations';
import { FailingDialog } from './FailingDialog';
import { FigureField } from './FigureField';
import { Notes } from './Notes';
import { proposal } from './proposal';
import classes from './Review.module.css';
import { Sales } from './Sales';
import { Steps } from './Steps';
import { Teach } from './Teach';
import { TillField } from './TillField';
import { useQueue } from './useQueue';
import { isOpen, useReview } from './useReview';

const TILL = 'terminalId';

/**
 * A reading: its picture beside the form, doubtful fields first, Enter goes on, Ctrl+Enter verifies. A till that is not
 * known is the first of them.
 */
export function Review({ reading }: { reading: ZReading }) {
  const mayEdit =
    useCan('sales/zReading', 'edit') && isOpen(reading) && reading.state !== 'captured';
  const [tillFirst] = useState(() => mayEdit && reading.terminalId === '');
  const { data: tills } = useTerminals(reading.storeId);
  const propose = useCallback(
    (min: string) => (tillFirst && tills ? proposal(tills.items, reading.storeId, min) : null),
    [tillFirst, tills, reading.storeId],
  );
  const model = useReview(
    reading,
    useCallback((min: string) => propose(min)?.terminalId ?? '', [propose]),
  );
  const queue = useQueue(reading.id);
  const [focused, setFocused] = useState<string | null>(null);
  const [search] = useSearchParams();
  const [teaching, setTeaching] = useState(search.has('teach'));
  const [line, setLine] = useState<string | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const verify = useRef<HTMLButtonElement>(null);
  const mayVerify = useCan('sales/zReading', 'approve');
  // Decided once, so that fields do not move while they are typed in.
  const [first] = useState(() => FIELDS.filter(({ name }) => model.doubts.has(name)));
  const asked = useMemo(
    () => [...(tillFirst ? [TILL] : []), ...first.map(({ name }) => name)],
    [tillFirst, first],
  );
  const doubtful = asked.filter((name) => !model.confirmed.has(name));
  const rest = useMemo(
    () =>
      GROUPS.map((group) => ({
        ...group,
        fields: group.fields.filter((field) => !(mayEdit && first.includes(field))),
      })),
    [first, mayEdit],
  );

  const input = (name: string) =>
    form.current?.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`);
  // Whoever opens a reading to review it types at once, or verifies where there is nothing to look at.
  useEffect(() => {
    const start = asked[0];
    if (!mayEdit) return;
    if (start) form.current?.querySelector<HTMLInputElement>(`input[name="${start}"]`)?.focus();
    else verify.current?.focus();
  }, [asked, mayEdit]);
  // What was refused is mended where it stands.
  const fault = model.problem?.fields.find(({ field }) => input(field))?.field;
  useEffect(() => {
    if (fault)
      form.current?.querySelector<HTMLInputElement>(`input[name="${CSS.escape(fault)}"]`)?.focus();
  }, [fault]);

  const goOn = (name: string) => (event: KeyboardEvent) => {
    event.preventDefault();
    model.confirm(name);
    const left = asked.filter((one) => one !== name && !model.confirmed.has(one));
    const at = asked.indexOf(name);
    const after = left.find((one) => asked.indexOf(one) > at) ?? left[0];
    if (after) input(after)?.focus();
    else verify.current?.focus();
  };

  /** Leaves this one for later; what was typed is kept. */
  async function leave(): Promise<void> {
    if (!model.dirty || (await model.save())) queue.leave();
  }
  // What nobody looked at yet is asked about once before it is verified as it is.
  const [warned, setWarned] = useState(false);
  const unseen =
    mayEdit && !reading.steps.some(({ step }) => step === 'verify') ? doubtful.length : 0;
  async function verified(reason?: string): Promise<boolean> {
    if (unseen > 0 && !warned) {
      setWarned(true);
      input(doubtful[0] ?? '')?.focus();
      return false;
    }
    const after = await model.step('verify', reason);
    if (!after) return false;
    done(`Verified: ${reading.storeName}, ${day(reading.businessDate)}`);
    await queue.goOn();
    return true;
  }
  const mayVerifyNow = mayVerify && reading.can.includes('verify') && reading.state !== 'captured';
  // Wherever the focus is, but not behind a dialog.
  const onKey = useRef<(event: globalThis.KeyboardEvent) => void>(null);
  onKey.current = (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented)
      return;
    if (document.querySelector('[role="dialog"]')) return;
    if (event.shiftKey) {
      event.preventDefault();
      if (mayEdit) void leave();
    } else if (mayVerifyNow) {
      event.preventDefault();
      void verified();
    }
  };
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => onKey.current?.(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  const seen = focused
    ? reading.read?.fields[FIELDS.find(({ name }) => name === focused)?.seen ?? '']
    : undefined;
  const state = STATES[reading.state];
  const cell = (field: Field) => (
    <FigureField
      key={field.name}
      field={field}
      value={model.values[field.name] ?? ''}
      error={model.errors.get(field.name)}
      doubt={
        mayEdit && model.doubts.has(field.name)
          ? (WHY[model.doubts.get(field.name) ?? ''] ?? 'Please compare')
          : null
      }
      confirmed={model.confirmed.has(field.name)}
      readOnly={!mayEdit}
      onChange={(value) => model.set(field.name, value)}
      onFocus={() => setFocused(field.name)}
      onEnter={goOn(field.name)}
    />
  );

  const proposed = propose((model.values.min ?? '').trim());
  const stillProposed = proposed?.terminalId === model.values[TILL];
  const till = (
    <TillField
      storeId={reading.storeId}
      value={model.values[TILL] ?? ''}
      error={model.errors.get(TILL)}
      hint={stillProposed ? proposed?.hint : undefined}
      readOnly={!mayEdit}
      onChange={(now) => {
        model.set(TILL, now);
        model.confirm(TILL);
      }}
      onEnter={goOn(TILL)}
    />
  );

  return (
    <div className={classes.page}>
      <LeaveGuard dirty={model.dirty} what="this Z-reading" saved={model.saved} />
      <Page
        title={`${reading.storeName}, ${day(reading.businessDate)}`}
        back={<BackLink to={to('salesZReading')} label="Z-readings" />}
        aside={
          <StatusPill tone={state?.tone ?? 'neutral'}>{state?.label ?? reading.state}</StatusPill>
        }
        actions={<Steps reading={reading} model={model} onTeach={() => setTeaching(!teaching)} />}
      >
        <div className={classes.sides} data-alone={!reading.picture || undefined}>
          {reading.picture && (
            <div className={classes.left}>
              <Picture
                id={reading.id}
                focus={seen?.box ?? null}
                lines={teaching ? reading.read?.lines : undefined}
                onLine={({ text }) => setLine(text)}
              />
            </div>
          )}
          <div className={classes.right} ref={form}>
            {reading.state === 'captured' && (
              <NoticeBox>The picture is being read. This takes a few seconds.</NoticeBox>
            )}
            {teaching && reading.picture && (
              <Teach
                reading={reading}
                line={line}
                onLine={setLine}
                onOver={() => setTeaching(false)}
              />
            )}
            {reading.read?.advice && model.open && <NoticeBox>{reading.read.advice}</NoticeBox>}
            {reading.doubled && (
              <ErrorBox>
                Z counter {reading.doubled.zCounter} is already on the reading of{' '}
                {day(reading.doubled.businessDate)}. Discard this one, or correct its counter.
              </ErrorBox>
            )}
            {reading.reason && (
              <NoticeBox>
                {reading.state === 'disputed' ? 'Disputed' : 'Reason'}: {reading.reason}
              </NoticeBox>
            )}
            {model.problem && model.problem.code !== 'checksFail' && (
              <ErrorBox focus={!fault}>{model.problem.message}</ErrorBox>
            )}
            {mayEdit && asked.length > 0 && (
              <section className={classes.first} aria-label="Look at these first">
                <h2>
                  Look at these first{' '}
                  <span className="num">
                    {doubtful.length > 0 ? `${doubtful.length} of ${asked.length}` : 'all seen'}
                  </span>
                </h2>
                {tillFirst && (
                  <div
                    className={classes.till}
                    data-doubt={!model.confirmed.has(TILL) || undefined}
                  >
                    {till}
                  </div>
                )}
                <div className={classes.grid}>{first.map(cell)}</div>
                <p className={classes.keys}>
                  <Kbd>Enter</Kbd> next doubtful field
                </p>
              </section>
            )}
            <Equations all={model.checks} imported={reading.checks} />
            {!tillFirst && (
              <section className={classes.group} aria-label="Till">
                {till}
              </section>
            )}
            {rest.map(
              ({ title, fields }) =>
                fields.length > 0 && (
                  <section key={title} className={classes.group} aria-label={title}>
                    <h2>{title}</h2>
                    <div className={classes.grid}>{fields.map(cell)}</div>
                  </section>
                ),
            )}
            <Sales reading={reading} />
            <Notes reading={reading} model={model} readOnly={!mayEdit} />
          </div>
        </div>
      </Page>
      {(mayEdit || mayVerifyNow) && (
        <div className={classes.bar}>
          <span
            className={classes.barWords}
            data-warn={(warned && unseen > 0) || undefined}
            role="status"
          >
            {warned && unseen > 0
              ? `${plural(unseen, 'field')} unchecked. Verify anyway?`
              : doubtful.length > 0 && mayEdit
                ? `${plural(doubtful.length, 'field')} to look at`
                : model.checks.some(({ holds }) => !holds)
                  ? 'Some sums do not agree'
                  : 'Ready'}
          </span>
          {mayEdit && queue.more && (
            <Button variant="subtle" onClick={() => void leave()}>
              Later&nbsp;<Kbd>Ctrl+Shift+Enter</Kbd>
            </Button>
          )}
          {mayEdit && (
            <Button
              variant="default"
              disabled={!model.dirty}
              loading={model.busy === 'save'}
              onClick={() => void model.save().then((now) => now && done('Saved'))}
            >
              Save
            </Button>
          )}
          {mayVerifyNow && (
            <Button ref={verify} loading={model.busy === 'verify'} onClick={() => void verified()}>
              Verify and go on&nbsp;<Kbd>Ctrl+Enter</Kbd>
            </Button>
          )}
        </div>
      )}
      <FailingDialog model={model} onVerify={verified} />
    </div>
  );
}
