import { Button, Select, Switch } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import { useState } from 'react';
import { useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { moment } from '#/ui/format';
import { Shortened } from '#/ui/Shortened';
import { StatusPill } from '#/ui/StatusPill';
import { done } from '#/ui/toast';
import { type Connector, discard, isOpen, type Letter, nameStores, retry, useAside } from './api';
import classes from './Connectors.module.css';

interface Props {
  base: string;
  connector: Connector;
  canEdit: boolean;
}

/** Records that could not be imported: the reason, the content, and the actions. */
export function Aside({ base, connector, canEdit }: Props) {
  const [all, setAll] = useState(false);
  const { data, error } = useAside(base, connector.id, all);
  const [problem, setProblem] = useState<string | null>(null);
  // One run at a time: an entry is taken again by a run.
  const atWork = isOpen(connector.lastRun);
  const act = (work: Promise<unknown>, words: string) => {
    setProblem(null);
    work.then(
      () => done(words),
      (failure) => setProblem(Problem.of(failure).message),
    );
  };
  return (
    <div className={classes.body}>
      <Switch
        label="Also what is settled"
        checked={all}
        onChange={(event) => setAll(event.currentTarget.checked)}
      />
      {atWork && canEdit && (
        <p className={classes.quiet}>
          It is at work. Entries can be tried again when it has ended.
        </p>
      )}
      {problem && <ErrorBox focus>{problem}</ErrorBox>}
      {error && !data && <ErrorBox>{Problem.of(error).message}</ErrorBox>}
      {data?.items.length === 0 && (
        <EmptyState
          icon={IconInbox}
          compact
          title="Nothing was put aside"
          text="What cannot be taken waits here with its reason."
        />
      )}
      <ol className={classes.list}>
        {data?.items.map((letter) => (
          <li key={letter.id} className={classes.entry}>
            <div className={classes.entryHead}>
              <strong>{letter.unit}</strong>
              <span className={classes.quiet}>{moment(letter.createdAt)}</span>
              <StatusPill tone={letter.state === 'open' ? 'warn' : 'neutral'}>
                {letter.state === 'open'
                  ? 'Waits'
                  : letter.state === 'taken'
                    ? 'Taken later'
                    : 'Discarded'}
              </StatusPill>
            </div>
            <p>{letter.reason}</p>
            {letter.state === 'open' && canEdit && letter.stores.length > 0 && (
              <Names
                letter={letter}
                onName={(name, storeId) =>
                  act(nameStores(base, connector.id, [{ name, storeId }]), 'Store named')
                }
              />
            )}
            {letter.raw && (
              <details>
                <summary className={classes.quiet}>
                  What came{letter.rawCut ? ' (the first 64 KB)' : ''}
                </summary>
                <pre className={classes.raw}>{letter.raw}</pre>
              </details>
            )}
            {letter.state === 'open' && canEdit && (
              <div className={classes.actions}>
                {letter.choices.map(({ id, label }) => (
                  <Button
                    key={id}
                    size="xs"
                    variant="default"
                    disabled={atWork}
                    aria-label={`${label}: ${letter.unit}`}
                    onClick={() => act(retry(base, connector.id, letter.id, id), 'Trying again')}
                  >
                    {label}
                  </Button>
                ))}
                {letter.choices.length === 0 && (
                  <Button
                    size="xs"
                    disabled={atWork}
                    aria-label={`Try again: ${letter.unit}`}
                    onClick={() => act(retry(base, connector.id, letter.id), 'Trying again')}
                  >
                    Try again
                  </Button>
                )}
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Discard: ${letter.unit}`}
                  onClick={() => act(discard(base, connector.id, letter.id), 'Discarded')}
                >
                  Discard
                </Button>
              </div>
            )}
          </li>
        ))}
      </ol>
      {data && (
        <Shortened
          shown={data.items.length}
          total={data.total}
          many="entries"
          hint="The others come up as these are settled."
        />
      )}
    </div>
  );
}

interface NamesProps {
  letter: Letter;
  onName(name: string, storeId: string): void;
}

function Names({ letter, onName }: NamesProps) {
  const { data } = useNames('stores');
  const [named, setNamed] = useState<Record<string, string>>({});
  const options = (data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className={classes.fields}>
      {letter.stores.map((name) => (
        <Select
          key={name}
          label={`«${name}» is`}
          placeholder="Choose a store"
          data={options}
          searchable
          withScrollArea={false}
          value={named[name] ?? null}
          onChange={(id) => {
            if (!id) return;
            setNamed({ ...named, [name]: id });
            onName(name, id);
          }}
        />
      ))}
    </div>
  );
}
