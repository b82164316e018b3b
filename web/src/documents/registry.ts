// Every document type, once: ledgers, books and links take their words, states and addresses from here.
import { deliveryDef } from './deliveries';
import { orderDef } from './orders';
import { productionDef } from './productions';
import { receiptDef } from './receipts';
import { supplierReturnDef } from './supplierReturns';
import { transferDef } from './transfers';
import type { DocumentDef, DocumentHead } from './types';
import { wasteDef } from './waste';

/** A document type, whatever its heads have beyond the common fields. */
export type AnyDocumentDef = Omit<DocumentDef<DocumentHead>, 'columns'>;

export const documentTypes: readonly AnyDocumentDef[] = [
  orderDef,
  deliveryDef,
  receiptDef,
  transferDef,
  wasteDef,
  supplierReturnDef,
  productionDef,
];

const byKind = new Map(documentTypes.map((def) => [def.kind, def]));

/** A document type by the entity type that records and movements name. */
export const documentType = (kind: string): AnyDocumentDef | undefined => byKind.get(kind);
