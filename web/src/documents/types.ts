import type { Icon } from '@tabler/icons-react';
import type { components } from '#/api/schema.gen';
import type { Permission } from '#/paths';
import type { Column } from '#/table/types';
import type { Tone } from '#/ui/StatusPill';

export type Taken = components['schemas']['Taken'];

/** What every document has. */
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

/** What every line has. */
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
  /** Whom or what it waits for. */
  waiting?: string;
}

export interface StepLabels {
  /** What the button says: «Submit order». */
  label: string;
  /** What the trail says: «Submitted». */
  done: string;
  /** Whether a reason is asked for, and whether it can be left out. */
  reason?: 'needed' | 'offered';
  danger?: boolean;
  /** Asked before it is taken: what it means. */
  asks?: string;
}

/** A type of document, as the console shows it. */
export interface DocumentDef<H extends DocumentHead> {
  /** How the keys of its queries begin. */
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
  /** In the order of its life. */
  states: Readonly<Record<string, StateLabels>>;
  steps: Readonly<Record<string, StepLabels>>;
  /** Columns of its list beyond number, day, status, store and lines. */
  columns?: readonly Column<H>[];
  /** Whether it says what it comes to. */
  priced?: true;
  empty: { title: string; text: string };
}

export interface DocumentPageAnswer<H> {
  items: H[];
  total: number;
  counts: Record<string, number>;
}
