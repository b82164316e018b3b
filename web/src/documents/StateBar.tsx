import { Button, Menu, Textarea } from '@mantine/core';
import { IconDots, IconPrinter } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Problem } from '#/api/problem';
import { Dialog } from '#/ui/Dialog';
import { day } from '#/ui/format';
import { done } from '#/ui/toast';
import { type StepBody, useStep } from './api';
import { answered, type Beyond, beyondOf, TAKE_IN } from './beyond';
import { CloseDialog } from './CloseDialog';
import type { CloseLine } from './close';
import classes from './Document.module.css';
import { MoreThanExpected } from './MoreThanExpected';
import type { DocumentDef, DocumentHead } from './types';
import { WhenDialog } from './WhenDialog';

interface Props<H extends DocumentHead> {
  def: DocumentDef<H>;
  document: H;
  /** The body of a step; null stops it, since the screen has errors. */
  bodyOf?(step: string): StepBody | null;
  /** Called before a step, to save what was typed. Resolves to the document to continue with, or null to stop. */
  before?(step: string): Promise<H | null>;
  onTaken?(now: H, step: string): void;
  /** Called on a refusal. A screen that takes it shows errors at their fields. */
  onRefused?(problem: Problem): void;
  /** What a step's dialog says below its question. */
  notes?: Readonly<Record<string, ReactNode>>;
  /** Steps shown elsewhere on the screen. */
  hidden?: readonly string[];
  /** Refusal codes of this type that a reason can override, with the question to ask. */
  overrides?: Readonly<Record<string, string>>;
  actions?: ReactNode;
}

/** Refusal codes of every document type that a reason can override, with the question to ask. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  backdated: 'It can be posted on that day all the same. Say why it comes so late.',
  expired: 'Or use this one all the same and say why; the reason is printed on the note.',
  muchMore: 'It can be done all the same. Say why it is so much.',
};

/** A line as the answer of a step names it: without its document. */
type Close = Omit<CloseLine, 'documentKind' | 'documentNo'>;

/** The lines of a posted document that a person has to say were counted. */
function closeOf<H extends DocumentHead>(def: DocumentDef<H>, now: H): CloseLine[] {
  const { close = [] } = now as H & { close?: Close[] };
  return close.map((line) => ({ ...line, documentKind: def.kind, documentNo: def.number(now) }));
}

/** A reversal in a frozen week is posted today. */
function frozenWords(now: DocumentHead): string {
  const { reversed } = now as DocumentHead & { reversed?: { frozenWeek?: string | null } };
  const week = reversed?.frozenWeek;
  return week ? `. The week of ${day(week)} is frozen, so it is dated today` : '';
}

/** An open question about more than a store is expected to have. */
interface Asked extends Beyond {
  step: string;
  /** What was said before it was asked. */
  said: StepBody;
}

/** The next step as the one primary button, the others in a menu. */
export function StateBar<H extends DocumentHead>(props: Props<H>) {
  const { def, document, hidden = [] } = props;
  const overrides = { ...EVERYWHERE, ...props.overrides };
  const take = useStep<H, H>(def);
  const [asking, setAsking] = useState<string | null>(null);
  const [refused, setRefused] = useState<Problem | null>(null);
  const [overriding, setOverriding] = useState(false);
  const [reason, setReason] = useState('');
  // What was said stays for the next try, until the step is taken.
  const [overridden, setOverridden] = useState<StepBody>({});
  const [beyond, setBeyond] = useState<Asked | null>(null);
  const [anyway, setAnyway] = useState('');
  const [busy, setBusy] = useState(false);
  const [close, setClose] = useState<readonly CloseLine[]>([]);
  const [when, setWhen] = useState<{
    step: string;
    more: StepBody;
    words: string;
    fault?: string;
  } | null>(null);
  const can = document.can.filter((step) => def.steps[step] && !hidden.includes(step));
  const [first, ...rest] = can;
  const primary = first && !def.steps[first]?.danger ? first : undefined;
  const others = primary ? rest : can;

  async function run(step: string, more: StepBody = {}): Promise<void> {
    if (busy) return;
    setBusy(true);
    setRefused(null);
    try {
      const seen = props.before ? await props.before(step) : document;
      const body = seen && (props.bodyOf ? props.bodyOf(step) : {});
      if (!seen || !body) return;
      const now = await take.mutateAsync({ document: seen, step, body: { ...body, ...more } });
      setAsking(null);
      setReason('');
      setOverriding(false);
      setWhen(null);
      setBeyond(null);
      setAnyway('');
      setClose(closeOf(def, now));
      done(`${def.number(now)}: ${def.steps[step]?.done.toLowerCase() ?? step}${frozenWords(now)}`);
      props.onTaken?.(now, step);
    } catch (error) {
      const problem = Problem.of(error);
      if (problem.code === 'whenNeeded') {
        setAsking(null);
        setBeyond(null);
        setWhen({ step, more, words: problem.message });
        return;
      }
      const fault = problem.fields.find(({ field }) => field === 'happenedAt')?.message;
      // The dialog stays, with what was typed.
      if (when && fault) return setWhen({ ...when, fault });
      setWhen(null);
      props.onRefused?.(problem);
      const shown = props.onRefused !== undefined && problem.fields.length > 0;
      const canOverride = Boolean(overrides[problem.code]) && !more.override;
      const asked = more.anyway ? null : beyondOf(problem);
      if (asked) {
        setBeyond({ ...asked, step, said: more });
        setAnyway((typed) => typed || (more.reason ?? ''));
        setAsking(null);
      } else if (beyond && !canOverride) {
        setRefused(problem);
      } else if (canOverride) {
        setBeyond(null);
        setOverridden(more);
        setReason((typed) => typed || (more.reason ?? ''));
        setRefused(problem);
        setOverriding(true);
        setAsking(step);
      } else {
        setRefused(shown && asking === null ? null : problem);
        if (!shown) setAsking(step);
        else setAsking(null);
      }
    } finally {
      setBusy(false);
    }
  }

  const start = (step: string) => {
    setReason('');
    setOverriding(false);
    setOverridden({});
    setRefused(null);
    const words = def.steps[step];
    if (words?.reason || words?.asks) setAsking(step);
    else void run(step);
  };

  const words = asking ? def.steps[asking] : undefined;
  const wantsReason = overriding || words?.reason !== undefined;
  const missing = (overriding || words?.reason === 'needed') && reason.trim() === '';
  return (
    <>
      <div className={classes.steps} data-steps>
        {props.actions}
        <Button
          variant="default"
          className={classes.print}
          leftSection={<IconPrinter size={16} aria-hidden />}
          onClick={() => window.print()}
        >
          Print
        </Button>
        {others.length > 0 && (
          <Menu position="bottom-end" width={220}>
            <Menu.Target>
              <Button variant="default" aria-label="More steps" px={9}>
                <IconDots size={18} aria-hidden />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {others.map((step) => (
                <Menu.Item
                  key={step}
                  className={classes.step}
                  color={def.steps[step]?.danger ? 'red' : undefined}
                  onClick={() => start(step)}
                >
                  {def.steps[step]?.label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {primary && (
          <Button loading={busy && asking === null} onClick={() => start(primary)}>
            {def.steps[primary]?.label}
          </Button>
        )}
      </div>
      {when && (
        <WhenDialog
          words={when.words}
          fault={when.fault}
          busy={busy}
          onConfirm={(happenedAt) => void run(when.step, { ...when.more, happenedAt })}
          onClose={() => setWhen(null)}
        />
      )}
      {close.length > 0 && <CloseDialog lines={close} onClose={() => setClose([])} />}
      {asking && words && (
        <Dialog
          opened
          title={words.label}
          keep="Keep as it is"
          confirm={overriding ? 'Do it all the same' : words.label}
          danger={words.danger}
          busy={busy}
          disabled={missing}
          onConfirm={() =>
            void run(asking, {
              ...overridden,
              ...(reason.trim() ? { reason: reason.trim() } : {}),
              ...(overriding ? { override: true } : {}),
            })
          }
          onClose={() => {
            setAsking(null);
            setRefused(null);
          }}
        >
          {refused && (
            <p role="alert" className={classes.refused}>
              {refused.message}
            </p>
          )}
          {!refused && words.asks && <p>{words.asks}</p>}
          {!refused && props.notes?.[asking]}
          {overriding && refused && <p>{overrides[refused.code]}</p>}
          {wantsReason && (
            <Textarea
              label="Reason"
              required={overriding || words.reason === 'needed'}
              autosize
              minRows={2}
              maxLength={2000}
              value={reason}
              data-autofocus
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Dialog>
      )}
      {beyond && (
        <MoreThanExpected
          beyond={beyond}
          confirm={beyond.recalled ? TAKE_IN : (def.anyway ?? 'Send anyway')}
          reason={anyway}
          busy={busy}
          error={refused?.message ?? null}
          onReason={setAnyway}
          onConfirm={(said) => void run(beyond.step, answered(beyond.said, said))}
          onClose={() => {
            setBeyond(null);
            setRefused(null);
          }}
        />
      )}
    </>
  );
}
