import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { moment } from '#/ui/format';
import { Page } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { usePhone } from '#/ui/usePhone';
import classes from './Document.module.css';
import { DocumentHistory } from './DocumentHistory';
import { Following } from './Following';
import type { DocumentDef, DocumentHead } from './types';

interface FrameProps<H extends DocumentHead> {
  def: DocumentDef<H>;
  document: H;
  back: { to: string; label: string };
  /** Name and value of each fact. */
  facts: readonly (readonly [string, ReactNode])[];
  actions: ReactNode;
  /** Warnings and notices above the lines. */
  notices?: ReactNode;
  /** Who signs the paper. */
  signatures?: readonly string[];
  children: ReactNode;
}

const SIGNATURES = ['Checked by', 'Delivered by', 'Received by'];

/** The page of a document: head, lines, trail. */
export function DocumentFrame<H extends DocumentHead>(props: FrameProps<H>) {
  const { def, document, back } = props;
  const words = def.states[document.status];
  const phone = usePhone();
  return (
    <Page
      fill={!phone}
      title={def.number(document)}
      back={<BackLink to={back.to} label={back.label} />}
      aside={
        <span className={classes.state}>
          <StatusPill tone={words?.tone ?? 'neutral'}>{words?.label ?? document.status}</StatusPill>
          {words?.waiting && <span>{words.waiting}</span>}
        </span>
      }
      actions={props.actions}
    >
      <dl className={classes.facts}>
        {props.facts
          .filter(([, value]) => value !== null && value !== undefined && value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {props.notices}
      {props.children}
      <Following document={document} />
      <div className={classes.foot}>
        <Trail def={def} document={document} />
        <DocumentHistory def={def} document={document} />
      </div>
      <div className={classes.signatures} aria-hidden>
        {(props.signatures ?? SIGNATURES).map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
    </Page>
  );
}

/** Who took which step when. */
function Trail<H extends DocumentHead>({ def, document }: { def: DocumentDef<H>; document: H }) {
  return (
    <ol className={classes.trail} aria-label="What happened">
      <li>
        <b>Made</b> {document.createdBy.name}, {moment(document.createdAt)}
      </li>
      {document.steps.map((taken) => (
        <li key={`${taken.step} ${taken.at}`}>
          <b>{def.steps[taken.step]?.done ?? taken.step}</b> {taken.by.name}, {moment(taken.at)}
          {taken.reason && <q>{taken.reason}</q>}
        </li>
      ))}
    </ol>
  );
}

/** Shown while a document loads or if it cannot be shown. */
export function DocumentStandIn<H extends DocumentHead>(props: {
  def: DocumentDef<H>;
  error: Error | null;
  back: { to: string; label: string };
  retry(): void;
}) {
  const { def, error, back } = props;
  if (!error) {
    return (
      <Page title={def.title} back={<BackLink to={back.to} label={back.label} />}>
        {[46, 420].map((height) => (
          <Skeleton key={height} height={height} radius="md" />
        ))}
      </Page>
    );
  }
  return (
    <EmptyState
      page
      icon={IconAlertTriangle}
      role="alert"
      title={`This ${def.one} could not be opened`}
      text={Problem.of(error).message}
      action={
        <>
          <Button variant="default" component={Link} to={back.to}>
            Back to {back.label.toLowerCase()}
          </Button>
          <Button onClick={props.retry}>Try again</Button>
        </>
      }
    />
  );
}
