import { Button, Loader } from '@mantine/core';
import { useState } from 'react';
import { requestAt } from '#/api/client';
import { Problem } from '#/api/problem';
import { pages } from '#/paths';
import { Dialog } from '#/ui/Dialog';
import classes from './FirstSteps.module.css';

const PATH = '/api/dashboard/main/example';
const AGAIN_MS = 1500;

const WORDS = {
  offered: {
    open: 'Look at an example group first',
    title: 'Load an example group?',
    text: 'Four stores and their kitchen, with three months of sales, orders and counts. It takes about a minute, while nobody can work here. You can throw it away whole: this group is then as it is now.',
    keep: 'Not now',
    confirm: 'Load the example',
    busy: 'Loading the example group …',
    method: 'POST',
  },
  loaded: {
    open: 'Throw it away',
    title: 'Throw the example away?',
    text: 'Everything goes, also what you entered since. This group is then as it was before the example.',
    keep: 'Keep the example',
    confirm: 'Throw it away',
    busy: 'Throwing the example away …',
    method: 'DELETE',
  },
} as const;

/** Waits until the server, which starts again, answers requests. */
async function untilBack(): Promise<void> {
  for (;;) {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    const answer = await fetch('/api/sign-in', { cache: 'no-store' }).catch(() => null);
    if (answer?.ok) return;
  }
}

interface Props {
  state: keyof typeof WORDS;
}

/** Loads the example group, or throws it away. */
export function Example({ state }: Props) {
  const words = WORDS[state];
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');

  async function go(): Promise<void> {
    setBusy(true);
    setRefused('');
    try {
      await requestAt(words.method, PATH);
    } catch (problem) {
      setRefused(Problem.of(problem).message);
      setBusy(false);
      return;
    }
    await untilBack();
    // Everything on this device is of the group before.
    window.location.assign(pages.dashboardMain.path);
  }

  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
        {words.open}
      </Button>
      <Dialog
        opened={asking}
        title={words.title}
        keep={words.keep}
        confirm={words.confirm}
        danger={state === 'loaded'}
        busy={busy}
        onConfirm={() => void go()}
        onClose={() => setAsking(false)}
      >
        <p>{words.text}</p>
        {busy && (
          <p role="status" className={classes.waiting}>
            <Loader size={16} aria-hidden /> {words.busy}
          </p>
        )}
        {refused && <p role="alert">{refused}</p>}
      </Dialog>
    </>
  );
}
