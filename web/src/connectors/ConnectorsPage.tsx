import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconPlug, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Problem } from '#/api/problem';
import { useBaseRecord } from '#/form/useBaseRecord';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerViews, useDrawerView } from '#/ui/DrawerViews';
import { EmptyState } from '#/ui/EmptyState';
import { count, DOT, day, moment, plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { Aside } from './Aside';
import { type Connector, type Settings, useConnectors } from './api';
import classes from './Connectors.module.css';
import type { Kind } from './kind';
import { outcome, scheduleLabel, stateLabel, stateTone } from './labels';
import { Runs } from './Runs';
import { SettingsForm } from './SettingsForm';

interface Props<S extends Settings> {
  kind: Kind<S>;
  title: string;
  back: ReactNode;
  /** The explanation shown without connectors. */
  empty: string;
}

const VIEWS = [
  { value: 'settings', label: 'Settings' },
  { value: 'runs', label: 'Runs' },
  { value: 'aside', label: 'Put aside' },
] as const;

/** The connectors of a kind as cards; one opens on the right. */
export function ConnectorsPage<S extends Settings>({ kind, title, back, empty }: Props<S>) {
  const [search, setSearch] = useSearchParams();
  const [view, setView] = useDrawerView(VIEWS);
  const { data, error, refetch } = useConnectors(kind.base);
  const open = search.get('open');
  const connector = data?.items.find(({ id }) => id === open) ?? null;
  const { base, onDirty } = useBaseRecord<Connector | null>(connector);
  const canEdit = data?.canEdit ?? false;
  const show = (id: string | null, next?: string) =>
    setSearch(
      (now) => {
        const params = new URLSearchParams(now);
        params.delete('view');
        if (id) params.set('open', id);
        else params.delete('open');
        if (next) params.set('view', next);
        return params;
      },
      { preventScrollReset: true },
    );
  const add = canEdit && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => show('new')}>
      New {kind.one}
    </Button>
  );

  return (
    <Page
      title={title}
      back={back}
      aside={data && plural(data.items.length, 'connector')}
      actions={data && data.items.length > 0 && add}
    >
      {error && !data ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title={
            Problem.of(error).status === 403
              ? 'You cannot open these'
              : 'The connectors could not be loaded'
          }
          text={Problem.of(error).message}
          action={
            Problem.of(error).status !== 403 && (
              <Button variant="default" onClick={() => void refetch()}>
                Try again
              </Button>
            )
          }
        />
      ) : !data ? (
        <div className={classes.cards} aria-busy>
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} height={150} radius="md" />
          ))}
        </div>
      ) : data.outOfReach ? (
        <EmptyState icon={IconPlug} title="Nothing here for your stores" text={data.outOfReach} />
      ) : data.items.length === 0 ? (
        <EmptyState icon={IconPlug} title="No connector yet" text={empty} action={add} />
      ) : (
        <ul className={classes.cards}>
          {data.items.map((it) => (
            <li key={it.id}>
              <Card connector={it} onOpen={(next) => show(it.id, next)} />
            </li>
          ))}
        </ul>
      )}
      <DrawerFrame
        opened={open === 'new' || connector !== null}
        title={connector?.name ?? `New ${kind.one}`}
        size={820}
        onClose={() => show(null)}
      >
        {connector && (
          <DrawerViews
            label={`About ${connector.name}`}
            views={VIEWS}
            view={view}
            badge={(it) =>
              it === 'aside' && connector.putAside > 0 ? count(connector.putAside) : null
            }
            onView={setView}
          />
        )}
        {connector && view === 'runs' ? (
          <Runs base={kind.base} connector={connector} canEdit={canEdit} runs={kind.runs} />
        ) : connector && view === 'aside' ? (
          <Aside base={kind.base} connector={connector} canEdit={canEdit} />
        ) : (
          (connector || open === 'new') && (
            <SettingsForm<S>
              key={base ? `${base.id} ${base.revision}` : 'new'}
              kind={kind}
              connector={base}
              onDirty={onDirty}
              canEdit={canEdit}
              incoming={data?.incoming}
              onSaved={({ id }) => show(id)}
              onClose={() => show(null)}
            />
          )
        )}
      </DrawerFrame>
    </Page>
  );
}

interface CardProps {
  connector: Connector;
  onOpen(view?: string): void;
}

function Card({ connector, onOpen }: CardProps) {
  const { lastRun: run } = connector;
  return (
    <article className={classes.card}>
      <div className={classes.head}>
        <h2>
          <button type="button" className={classes.open} onClick={() => onOpen()}>
            {connector.name}
          </button>
        </h2>
        {connector.paused ? (
          <StatusPill tone="neutral">Paused</StatusPill>
        ) : (
          run && <StatusPill tone={stateTone(run)}>{stateLabel(run)}</StatusPill>
        )}
      </div>
      <p className={classes.quiet}>
        {connector.settings.kind === 'w3p'
          ? connector.settings.folder
            ? `Folder «${connector.settings.folder}» and pushed`
            : 'Pushed'
          : scheduleLabel(connector.schedule)}
        {connector.readTo && `${DOT}read to ${day(connector.readTo)}`}
      </p>
      <p>{run ? `${moment(run.createdAt)}: ${outcome(run)}` : 'Never run yet.'}</p>
      <div className={classes.actions}>
        <Button size="xs" variant="default" onClick={() => onOpen('runs')}>
          Runs
        </Button>
        {connector.putAside > 0 && (
          <Button size="xs" variant="default" color="orange" onClick={() => onOpen('aside')}>
            {plural(connector.putAside, 'entry', 'entries')} put aside
          </Button>
        )}
      </div>
    </article>
  );
}
