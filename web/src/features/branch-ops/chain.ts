// Sends one record: its photos, the document, then its step. Each part may be resent: photos have device ids, the
// document and its step have keys, and progress is stored before the next part is sent.
import { Problem } from '#/api/problem';
import { beyondOf } from '#/documents/beyond';
import { withClockOf } from '#/documents/clock';
import type { Answer } from '#/offline/writeQueue';
import type { BranchRecord, Progress } from './types';

/** A document in the server's answer; only what sending needs. */
interface Sent {
  id: string;
  revision: number;
  status: string;
  steps?: readonly { step: string; by: { uid?: string | null } }[];
  /** The steps that can be taken. */
  can?: readonly string[];
  [field: string]: unknown;
}

interface RequestOptions {
  query?: Record<string, unknown>;
  json?: unknown;
  raw?: Blob;
  retryKey?: string;
}

export interface ChainPorts {
  request(method: string, path: string, options?: RequestOptions): Promise<unknown>;
  progress(op: string): Promise<Progress | null>;
  setProgress(op: string, progress: Progress | null): Promise<void>;
  photo(id: string): Promise<Blob | null>;
}

/** Whether the server's refusal is final: nothing else may take a record out of the queue. */
function isFinal({ status, code }: Problem): boolean {
  if (status === 403) return code === 'forbidden' || code === 'outOfScope';
  return [400, 404, 409, 410, 413, 415, 422].includes(status);
}

/** Resolves to the server's answer; rejects when the record must be sent again. */
export async function sendRecord(record: BranchRecord, ports: ChainPorts): Promise<Answer> {
  try {
    return await send(record, ports);
  } catch (error) {
    const problem = Problem.of(error);
    if (!isFinal(problem)) throw error;
    const reason = wordsOf(problem, record);
    const question = beyondOf(problem);
    // It is held with the question: only its user can say whether more was there.
    if (question) return { op: record.op, outcome: 'held', reason, question };
    return { op: record.op, outcome: 'rejected', reason };
  }
}

async function send(record: BranchRecord, ports: ChainPorts): Promise<Answer> {
  const { op, base, step } = record;
  let progress = await ports.progress(op);
  let document: Sent | null = null;
  if (!progress) {
    const picture = await sendPhotos(record, ports);
    const named = picture ? { ...record, body: { ...record.body, picture } } : record;
    document = (await changeDraft(named, ports)) ?? (await create(named, ports));
    progress = { id: document.id, revision: document.revision };
    await ports.setProgress(op, progress);
  }
  if (step) document = await takeStep(record, progress, ports);
  else document ??= (await ports.request('GET', at(base, progress.id))) as Sent;
  // Progress is kept until the record has left the device: the answer may still get lost.
  return { op, outcome: 'applied', reason: numberOf(document) };
}

const at = (base: string, id: string) => `${base}/${encodeURIComponent(id)}`;

/** Sends the photos on this device; returns the server's id of the photo if it assigns one. */
async function sendPhotos(
  { storeId, photos, photoBase }: BranchRecord,
  ports: ChainPorts,
): Promise<string | null> {
  let named: string | null = null;
  for (const id of photos) {
    const photo = await ports.photo(id);
    // Not on this device any more: an earlier try has sent it, or the server will say that it is missing.
    if (!photo) continue;
    const query = photoBase ? { storeId } : { storeId, id };
    const path = photoBase ?? '/api/stores/photos';
    const sent = (await ports.request('POST', path, { query, raw: photo })) as {
      picture?: string;
    } | null;
    named ??= sent?.picture ?? null;
  }
  return named;
}

function create({ op, base, body }: BranchRecord, ports: ChainPorts): Promise<Sent> {
  const json = withClockOf(body);
  return ports.request('POST', base, { json, retryKey: `${op}:create` }) as Promise<Sent>;
}

/** Writes into the existing draft; null when it is no longer one. The values are absolute. */
async function changeDraft(record: BranchRecord, ports: ChainPorts): Promise<Sent | null> {
  const { base, body, draftId } = record;
  if (!draftId) return null;
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      const draft = (await ports.request('GET', at(base, draftId))) as Sent;
      if (draft.status !== 'draft') return null;
      const json = { ...withClockOf(body), revision: draft.revision };
      return (await ports.request('PATCH', at(base, draftId), { json })) as Sent;
    } catch (error) {
      const { status, code } = Problem.of(error);
      if (status === 404) return null;
      // Another change came first: try again. A frozen week stays frozen.
      if (status !== 409 || code === 'frozenWeek' || code === 'draftExists') throw error;
    }
  }
  throw new Problem(503, 'busy', 'Someone else is changing this now.');
}

async function takeStep(
  record: BranchRecord,
  { id, revision }: Progress,
  ports: ChainPorts,
): Promise<Sent> {
  const { op, base, step, stepBody } = record;
  try {
    return (await ports.request('POST', `${at(base, id)}/${step}`, {
      json: { ...withClockOf(stepBody ?? {}), revision },
      // A key belongs to one body; with the answer to a question it is another one.
      retryKey: `${op}:${step}${stepBody?.anyway ? ':anyway' : ''}`,
    })) as Sent;
  } catch (error) {
    const problem = Problem.of(error);
    if (problem.status !== 409) throw error;
    const now = (await ports.request('GET', at(base, id))) as Sent;
    // An earlier try went through, and its answer was lost for longer than the server remembers keys.
    // A step that can be taken again was taken back since.
    const own = now.steps?.some((taken) => taken.step === step && taken.by.uid === record.uid);
    if (own && !now.can?.includes(step ?? '')) return now;
    if (problem.code === 'takenInMeanwhile') await discardDraft(record, now, ports);
    throw error;
  }
}

/** The draft's expectations are outdated: discards it for a new one. */
async function discardDraft({ op, base }: BranchRecord, draft: Sent, ports: ChainPorts) {
  try {
    await ports.request('POST', `${at(base, draft.id)}/cancel`, {
      json: { revision: draft.revision },
    });
    await ports.setProgress(op, null);
  } catch {
    // It stays as a draft in the back office, where it can be discarded.
  }
}

function numberOf(document: Sent): string {
  const found = Object.entries(document).find(([name]) =>
    /^(receipt|waste|transfer|order)No$/.test(name),
  );
  if (document.picture) return 'it is being read for the office';
  return typeof found?.[1] === 'string' ? found[1] : '';
}

/** The problem, with the names of the lines concerned. */
export function wordsOf(problem: Problem, { lineNames }: Pick<BranchRecord, 'lineNames'>): string {
  const words = problem.fields.map(({ field, message }) => {
    const place = field.match(/^lines\.(\d+)\./)?.[1];
    const name = place === undefined ? undefined : lineNames[Number(place)];
    return name ? `${name}: ${message}` : message;
  });
  return words.length > 0 ? [...new Set(words)].join(' ') : problem.message;
}
