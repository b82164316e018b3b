import type { Icon } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import type { Permission } from '#/paths';
import type { Column } from '#/table/types';
import type { Tone } from '#/ui/StatusPill';

export type Taken = components['schemas']['Taken'];

/** The head of every document. */
export interface DocumentHead {
  id: string;
  kind: string;
  status: string;
  storeId: string | null;
  sourceType: string | null;
  sourceId: string | null;
  notes: string | null;
  steps: Taken[];
  can: string[];
  lineCount: number;
  amount: number | null;
  revision: number;
  createdAt: string;
  createdBy: { name: string };
  updatedAt: string;
  updatedBy: { name: string };
}

/** Fields of every line. */
export interface DocumentLine {
  id: string;
  position: number;
  productId: string;
  sku?: string | null;
  name: string;
  uomId: string;
  uomCode: string;
  factor: number;
}

export interface StateLabels {
  label: string;
  tone: Tone;
  /** What it waits for. */
  waiting?: string;
}

export interface StepLabels {
  /** The button's label: «Submit order». */
  label: string;
  /** The trail's text: «Submitted». */
  done: string;
  /** Whether a reason is required or optional. */
  reason?: 'needed' | 'offered';
  danger?: boolean;
  /** A confirmation text that explains the step. */
  asks?: string;
}

/** A document that can follow another: a supplier return follows a receipt. */
export interface Follows {
  /** Entity type of the document it follows. */
  kind: string;
  /** Heading of the existing ones: «Sent back». */
  title: string;
  /** Label of the button that begins one: «Send back». */
  begin: string;
  /** Whether one can follow this document. */
  may(document: DocumentHead): boolean;
  /** The draft of one that follows this document. */
  draft(document: DocumentHead): object;
}

/** A document type in the console. */
export interface DocumentDef<H extends DocumentHead> {
  /** Its entity type, also of its movements. */
  kind: string;
  /** Its name in ledgers: «Order». */
  word: string;
  /** Set for documents of kitchens, which no store ledger has. */
  ofKitchens?: true;
  /** The prefix of its query keys. */
  key: readonly string[];
  base: string;
  one: string;
  many: string;
  title: string;
  page: Permission;
  icon: Icon;
  number(head: H): string;
  date(head: H): string;
  dateLabel: string;
  href(id: string): string;
  /** In life-cycle order. */
  states: Readonly<Record<string, StateLabels>>;
  steps: Readonly<Record<string, StepLabels>>;
  /** The button's label when more leaves a store than is expected there; «Send anyway» if there is none. */
  anyway?: string;
  /** Columns of its list beyond number, day, status, store and lines. */
  columns?: readonly Column<H>[];
  /** The label of a filter for those with differences to settle, if its documents can have any. */
  undecided?: string;
  /** Whether it has a total amount. */
  priced?: true;
  /** The document types it can be begun from; their pages show it. */
  follows?: Follows;
  empty: { title: string; text: string };
}

export interface DocumentPageAnswer<H> {
  items: H[];
  total: number;
  counts: Record<string, number>;
}
