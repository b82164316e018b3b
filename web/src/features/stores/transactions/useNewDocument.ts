import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { documentChanged } from '#/documents/api';
import type { DocumentDef, DocumentHead } from '#/documents/types';

interface Options<D extends DocumentHead> {
  def: DocumentDef<D>;
  /** Creates it; a retry with the same key creates nothing more. */
  create(key: string): Promise<D>;
  /** The page of the created document. */
  pathOf(created: D): string;
}

/** Creates a document and opens its page. */
export function useNewDocument<D extends DocumentHead>({ def, create, pathOf }: Options<D>) {
  const navigate = useNavigate();
  const key = useRef(crypto.randomUUID());
  const saved = useRef(false);
  const creating = useMutation({
    mutationFn: () => create(key.current),
    onSuccess: (created) => {
      documentChanged(def, created);
      saved.current = true;
      void navigate(pathOf(created), { replace: true });
    },
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const problem = creating.error && Problem.of(creating.error);
  return {
    create: () => creating.mutate(),
    busy: creating.isPending,
    saved,
    problem,
    errorOf: (field: string) => problem?.fields.find((one) => one.field === field)?.message ?? null,
  };
}

export type NewDocument = Pick<ReturnType<typeof useNewDocument>, 'problem' | 'errorOf'>;
