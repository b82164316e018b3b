import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { documentApi, documentChanged } from './api';
import classes from './Document.module.css';
import type { DocumentDef, DocumentHead } from './types';

interface Props<H extends DocumentHead> {
  def: DocumentDef<H>;
  confirm: string;
  /** What is created; null until enough is chosen. */
  draft: object | null;
  fields(errorOf: (field: string) => string | null): ReactNode;
  onClose(): void;
}

/** Asks for what a new document needs, and opens it. */
export function NewDocument<H extends DocumentHead>(props: Props<H>) {
  const { def, confirm, draft, fields, onClose } = props;
  const navigate = useNavigate();
  const key = useRef(crypto.randomUUID());
  const create = useMutation({
    mutationFn: () => documentApi<H, H>(def.base).create(draft, key.current),
    onSuccess: (made) => {
      documentChanged(def, made);
      void navigate(def.href(made.id));
    },
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const problem = create.error && Problem.of(create.error);
  return (
    <Dialog
      opened
      title={`New ${def.one}`}
      keep="Cancel"
      confirm={confirm}
      busy={create.isPending}
      disabled={!draft}
      onConfirm={() => create.mutate()}
      onClose={onClose}
    >
      <div className={classes.fields}>
        {problem && problem.fields.length === 0 && <ErrorBox focus>{problem.message}</ErrorBox>}
        {fields((field) => problem?.fields.find((one) => one.field === field)?.message ?? null)}
      </div>
    </Dialog>
  );
}
