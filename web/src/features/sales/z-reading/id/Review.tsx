import { useCallback, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCan } from '#/api/session';
import { LeaveGuard } from '#/form/LeaveGuard';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { NoticeBox } from '#/ui/ErrorBox';
import { day } from '#/ui/format';
import { Kbd } from '#/ui/Kbd';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { done } from '#/ui/toast';
import { STATES, type StepSaid, useTerminals, type ZReading } from '../api';
import { FIELDS, type Field, WHY } from '../fields';
import { Picture } from '../Picture';
import { Equations } from './Equations';
import { Failing } from './Failing';
import { FailingDialog } from './FailingDialog';
import { FigureField } from './FigureField';
import { Notes } from './Notes';
import { proposal } from './proposal';
import classes from './Review.module.css';
import { ReviewBar } from './ReviewBar';
import { ReviewNotices } from './ReviewNotices';
import { Sales } from './Sales';
import { Steps } from './Steps';
import { Teach } from './Teach';
import { TillField } from './TillField';
import { TILL, useFields } from './useFields';
import { useQueue } from './useQueue';
import { isOpen, useReview } from './useReview';
import { useReviewKeys } from './useReviewKeys';

/** A day has a reading of each till: without its till the next one would look like the one before. */
const nameOf = ({ storeName, terminalId, businessDate }: ZReading) =>
  [storeName, terminalId && `till ${terminalId}`, day(businessDate)].filter(Boolean).join(', ');

/**
 * A reading: its picture beside the form, what fails at the top, then the doubtful fields, Enter goes on, Ctrl+Enter verifies. A till that is not
 * known is the first of them.
 */
export function Review({ reading }: { reading: ZReading }) {
  const mayEdit =
    useCan('sales/zReading', 'edit') && isOpen(reading) && reading.state !== 'captured';
  const tillKnown = reading.terminalId !== '';
  const [tillFirst] = useState(() => mayEdit && !tillKnown);
  const { data: tills } = useTerminals(reading.storeId);
  const propose = useCallback(
    (min: string) =>
      tillFirst && !tillKnown && tills ? proposal(tills.items, reading.storeId, min) : null,
    [tillFirst, tillKnown, tills, reading.storeId],
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
  const { first, asked, doubtful, rest, fault, focus, correct, goOn } = useFields({
    model,
    mayEdit,
    tillFirst,
    tillKnown,
    form,
    verify,
  });

  /** Leaves this one for later; what was typed is kept. */
  async function leave(): Promise<void> {
    if (!model.dirty || (await model.save())) queue.leave();
  }
  // What nobody looked at yet is asked about once before it is verified as it is.
  const [warned, setWarned] = useState(false);
  const unseen =
    mayEdit && !reading.steps.some(({ step }) => step === 'verify') ? doubtful.length : 0;
  async function verified(said?: StepSaid): Promise<boolean> {
    if (unseen > 0 && !warned) {
      setWarned(true);
      focus(doubtful[0] ?? '');
      return false;
    }
    const after = await model.step('verify', said);
    if (!after) return false;
    done(`Verified: ${nameOf(after)}`);
    await queue.goOn();
    return true;
  }
  const mayVerifyNow = mayVerify && reading.can.includes('verify') && reading.state !== 'captured';
  useReviewKeys({
    verify: () => void verified(),
    leave: () => void leave(),
    mayVerify: mayVerifyNow,
    mayLeave: mayEdit,
  });

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
        title={nameOf(reading)}
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
          <div className={classes.right} ref={form} data-figures>
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
            <ReviewNotices reading={reading} model={model} fault={fault} />
            <Failing all={model.checks} reading={reading} />
            {mayEdit && asked.length > 0 && (
              <section className={classes.first} aria-label="Look at these first">
                <h2>
                  Look at these first{' '}
                  <span className="num">
                    {doubtful.length > 0 ? `${doubtful.length} of ${asked.length}` : 'all seen'}
                  </span>
                </h2>
                {tillFirst && (
                  <div className={classes.till} data-doubt={doubtful.includes(TILL) || undefined}>
                    {till}
                  </div>
                )}
                <div className={classes.grid}>{first.map(cell)}</div>
                <p className={classes.keys}>
                  <Kbd>Enter</Kbd> next doubtful field
                </p>
              </section>
            )}
            <Equations all={model.checks.filter(({ holds }) => holds)} />
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
        <ReviewBar
          model={model}
          mayEdit={mayEdit}
          mayVerify={mayVerifyNow}
          doubtful={doubtful.length}
          unchecked={warned ? unseen : 0}
          more={queue.more}
          verify={verify}
          onLeave={() => void leave()}
          onVerify={() => void verified()}
        />
      )}
      <FailingDialog reading={reading} model={model} onVerify={verified} onCorrect={correct} />
    </div>
  );
}
