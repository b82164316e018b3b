// A company's permits and registrations: the requests, and when they expire.
import { filled, request } from '#/api/client';
import type { Saved } from '#/form/useRecordForm';
import { toNumber } from '#/ui/dates';
import { day, plural } from '#/ui/format';
import type { Tone } from '#/ui/StatusPill';

export const KINDS = [
  { value: 'dtiSec', label: 'DTI/SEC' },
  { value: 'mayorPermit', label: 'Mayor’s permit' },
  { value: 'bir', label: 'BIR' },
  { value: 'other', label: 'Other' },
] as const;

export interface CompanyDocument extends Saved {
  kind: string;
  title: string;
  number?: string | null;
  issued?: string | null;
  expires?: string | null;
  fileName: string;
  contentType: string;
  size: number;
  createdAt: string;
  createdBy?: { name?: string | null } | null;
}

export const ACCEPT = '.pdf,.jpg,.jpeg,.png,.webp,application/pdf,image/jpeg,image/png,image/webp';
export const MAX_BYTES = 20 * 1024 * 1024;

const PATH = '/api/lists/companies/{id}/documents';

export const documentsApi = {
  all: (companyId: string, signal?: AbortSignal) =>
    request('GET', PATH, { path: { id: companyId }, signal }),
  add: (companyId: string, file: File, facts: Record<string, unknown>) =>
    request('POST', PATH, {
      path: { id: companyId },
      query: { ...facts, fileName: file.name },
      raw: file,
    }),
  update: (companyId: string, documentId: string, revision: number, changed: object) =>
    request('PATCH', `${PATH}/{documentId}`, {
      path: { id: companyId, documentId },
      json: { ...changed, revision },
    }),
  remove: (companyId: string, documentId: string) =>
    request('DELETE', `${PATH}/{documentId}`, { path: { id: companyId, documentId } }),
  fileHref: (companyId: string, documentId: string) =>
    filled(`${PATH}/{documentId}/file`, { id: companyId, documentId }),
};

/** Why the file cannot be used; null when it can. */
export function rejectReason(file: Pick<File, 'name' | 'size'>): string | null {
  if (!/\.(pdf|jpe?g|png|webp)$/i.test(file.name)) {
    return 'Choose a PDF or a picture (JPEG, PNG or WebP).';
  }
  if (file.size > MAX_BYTES) return 'Choose a file of at most 20 MB.';
  return file.size === 0 ? 'This file is empty.' : null;
}

/** Days before expiry from which to warn: renewals take weeks. */
const SOON_DAYS = 30;

/** «Expires in 12 days», and how urgent that is. */
export function expiry(
  expires: string | null | undefined,
  today: string,
): { words: string; tone: Tone } | null {
  if (!expires) return null;
  const left = toNumber(expires) - toNumber(today);
  if (left < 0) return { words: 'Expired', tone: 'danger' };
  if (left === 0) return { words: 'Expires today', tone: 'danger' };
  if (left <= SOON_DAYS) return { words: `Expires in ${plural(left, 'day')}`, tone: 'warn' };
  return { words: `Valid until ${day(expires)}`, tone: 'ok' };
}
