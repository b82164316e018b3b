// Reopens a refused document: its form becomes a draft again.
import { outsideShell } from '#/paths';
import { progressOf } from './device';
import { readDraft, replaceDraft } from './drafts';
import { subjectWithDay } from './orderSubject';
import { outbox } from './queue';
import type { BranchRecord } from './types';

const HOME = outsideShell.branchOps;

/** The screen of a kind of document, and its draft's name. */
export function placeOf({
  kind,
  storeId,
  subject,
  body,
}: Pick<BranchRecord, 'kind' | 'storeId' | 'subject'> & Partial<Pick<BranchRecord, 'body'>>): {
  path: string;
  draft: string;
} {
  if (kind === 'receive') {
    return {
      path: `${HOME}/receive/${encodeURIComponent(subject ?? '')}`,
      draft: `receive:${subject}`,
    };
  }
  if (kind === 'order') {
    const about = subjectWithDay(subject ?? '', body);
    return {
      path: `${HOME}/order/${encodeURIComponent(about)}`,
      draft: `order:${storeId}:${about}`,
    };
  }
  if (kind === 'zReading') return { path: `${HOME}/z-reading`, draft: `zReading:${storeId}` };
  // Deposits share the cash screen.
  if (kind === 'deposit') return { path: `${HOME}/cash`, draft: `deposit:${storeId}` };
  return { path: `${HOME}/${kind}`, draft: `${kind}:${storeId}` };
}

interface Form {
  lines?: unknown[] | Record<string, unknown>;
  photos?: unknown[];
  photoProducts?: Record<string, string>;
}

/** A draft may have been begun there meanwhile: it is kept as well. */
export function joined(form: Form, begun: Form | null): Form {
  if (!begun) return form;
  const products = { ...begun.photoProducts, ...form.photoProducts };
  const photos = {
    photos: [...(form.photos ?? []), ...(begun.photos ?? [])],
    ...(Object.keys(products).length > 0 ? { photoProducts: products } : {}),
  };
  // A drawer count has no lines: it is reopened as it was.
  if (form.lines === undefined && begun.lines === undefined) {
    return { ...begun, ...form, ...photos };
  }
  const lists = Array.isArray(form.lines) && Array.isArray(begun.lines);
  const lines = lists
    ? [...(form.lines as unknown[]), ...(begun.lines as unknown[])]
    : { ...begun.lines, ...form.lines };
  return { ...form, lines, ...photos };
}

/** Makes a refused document a draft again; resolves to its screen. */
export async function goOnWith(asideId: string, record: BranchRecord): Promise<string> {
  const { path, draft } = placeOf(record);
  const draftId = (await progressOf(record.op))?.id ?? record.draftId;
  const begun = await readDraft<Form>(record.uid, draft);
  const form = { ...joined(record.form as Form, begun), op: crypto.randomUUID(), draftId };
  // It stays in the queue until its copy is safe.
  if (await replaceDraft(record.uid, draft, form)) await outbox.discard(asideId);
  return path;
}
