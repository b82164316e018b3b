import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { Linked } from '#/ui/Linked';
import { StatusPill } from '#/ui/StatusPill';
import { documentApi, documentChanged } from './api';
import classes from './Document.module.css';
import { type AnyDocumentDef, documentTypes } from './registry';
import type { DocumentHead, Follows } from './types';

/** Documents begun from this one, by type, each with a button to begin another. */
export function Following({ document }: { document: DocumentHead }) {
  return documentTypes.map((def) =>
    def.follows?.kind === document.kind && def.follows.may(document) ? (
      <OfType key={def.kind} def={def} follows={def.follows} document={document} />
    ) : null,
  );
}

interface Props {
  def: AnyDocumentDef;
  follows: Follows;
  document: DocumentHead;
}

function OfType({ def, follows, document }: Props) {
  const navigate = useNavigate();
  const maySee = useCan(def.page);
  const mayCreate = useCan(def.page, 'create');
  const key = useRef(crypto.randomUUID());
  const api = documentApi<DocumentHead, DocumentHead>(def.base);
  const { data: there = [] } = useQuery({
    queryKey: [...def.key, 'following', document.id],
    queryFn: ({ signal }) => api.all({ originId: document.id }, signal),
    enabled: maySee,
  });
  const begin = useMutation({
    mutationFn: () => api.create(follows.draft(document), key.current),
    onSuccess: (now) => {
      documentChanged(def, now);
      void navigate(def.href(now.id));
    },
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  if (!maySee || (there.length === 0 && !mayCreate)) return null;
  return (
    <section className={classes.bar} aria-label={follows.title}>
      {there.length > 0 && <b>{follows.title}</b>}
      {there.map((one) => (
        <span key={one.id} className={classes.state}>
          <Linked href={def.href(one.id)}>{def.number(one)}</Linked>
          <StatusPill tone={def.states[one.status]?.tone ?? 'neutral'}>
            {def.states[one.status]?.label ?? one.status}
          </StatusPill>
        </span>
      ))}
      {mayCreate && (
        <Button
          size="xs"
          variant="default"
          className="no-print"
          loading={begin.isPending}
          onClick={() => begin.mutate()}
        >
          {follows.begin}
        </Button>
      )}
      {begin.error && (
        <span role="alert" className={classes.refused}>
          {Problem.of(begin.error).message}
        </span>
      )}
    </section>
  );
}
