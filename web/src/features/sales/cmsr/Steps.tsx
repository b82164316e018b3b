import { Button, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useCan, useMe } from '#/api/session';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { money } from '#/ui/format';
import { monthName } from '#/ui/MonthChoice';

import { type Cmsr, steps } from './api';
import classes from './Cmsr.module.css';

type Step = 'certify' | 'submit' | 'amend';

/** The available steps of the month. */
export function Steps({ month }: { month: Cmsr }) {
  const [step, setStep] = useState<Step | null>(null);
  const mayCertify = useCan('sales/cmsr', 'approve');
  const maySubmit = useCan('sales/cmsr', 'post');
  const { state, blocker, differs } = month;
  // A step takes its own button away: the focus goes on to the next one.
  const buttons = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(state);
  useEffect(() => {
    if (shown === state) return;
    setShown(state);
    const { activeElement, body } = document;
    if (activeElement && activeElement !== body) return;
    [...(buttons.current?.querySelectorAll('button') ?? [])].at(-1)?.focus({ preventScroll: true });
  }, [shown, state]);
  return (
    <div ref={buttons} className={classes.steps}>
      {state === 'draft' && mayCertify && (
        <Button
          disabled={blocker != null}
          title={blocker ?? undefined}
          onClick={() => setStep('certify')}
        >
          Certify
        </Button>
      )}
      {state !== 'draft' && mayCertify && (
        <Button variant={differs ? 'filled' : 'default'} onClick={() => setStep('amend')}>
          Amend
        </Button>
      )}
      {state === 'certified' && maySubmit && !differs && (
        <Button onClick={() => setStep('submit')}>Submit</Button>
      )}
      {step && <StepDialog step={step} month={month} onClose={() => setStep(null)} />}
    </div>
  );
}

const WORDS = {
  certify: { title: 'Certify', keep: 'Not yet', said: 'Certified' },
  submit: { title: 'Submit', keep: 'Not yet', said: 'Submitted' },
  amend: { title: 'Amend', keep: 'Leave as it is', said: 'Open to certify again' },
} as const;

function StepDialog({ step, month, onClose }: { step: Step; month: Cmsr; onClose(): void }) {
  const { user } = useMe();
  const [name, setName] = useState(user.name);
  const [position, setPosition] = useState('');
  const [reason, setReason] = useState('');
  const saving = useSave();
  const { title, keep, said } = WORDS[step];
  const called = monthName(month.month);
  const error = saving.errorOf;

  const of = { storeId: month.storeId, month: month.month };
  const take = {
    certify: () => steps.certify(of, { name, position }),
    submit: () => steps.submit(of),
    amend: () => steps.amend(of, reason),
  }[step];
  const go = () => void saving.run<unknown>(take, { said, onSaved: onClose });

  return (
    <Dialog
      opened
      title={`${title} ${called}`}
      confirm={`${title} ${called}`}
      keep={keep}
      busy={saving.busy}
      onConfirm={go}
      onClose={onClose}
    >
      <SaveProblem save={saving} />
      {step === 'certify' && (
        <>
          <p>
            Net sales less exempt {money(month.content.foot.netSales)}, rent{' '}
            {money(month.content.foot.rent)}. The figures are kept as they are now; a later change
            asks for an amendment.
          </p>
          <TextInput
            label="Name"
            value={name}
            error={error('name')}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <TextInput
            mt="sm"
            label="Position"
            placeholder="Finance manager"
            data-autofocus
            value={position}
            error={error('position')}
            onChange={(event) => setPosition(event.currentTarget.value)}
          />
        </>
      )}
      {step === 'submit' && <p>This says that the lessor has the report.</p>}
      {step === 'amend' && (
        <>
          <p>Version {month.version} is kept as it was certified. The month opens once more.</p>
          <TextInput
            label="Why"
            data-autofocus
            value={reason}
            error={error('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
    </Dialog>
  );
}
