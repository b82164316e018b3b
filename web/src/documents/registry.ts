// All document types. Ledgers and links take labels, states and URLs from here.
import { deliveryDef } from './deliveries';
import { orderDef } from './orders';
import { productionDef } from './productions';
import { receiptDef } from './receipts';
import { stockTakeDef } from './stockTakes';
import { supplierReturnDef } from './supplierReturns';
import { transferDef } from './transfers';
import type { DocumentDef, DocumentHead } from './types';
import { wasteDef } from './waste';

/** A document type with any head. */
export type AnyDocumentDef = Omit<DocumentDef<DocumentHead>, 'columns'>;

export const documentTypes: readonly AnyDocumentDef[] = [
  orderDef,
  deliveryDef,
  receiptDef,
  transferDef,
  wasteDef,
  supplierReturnDef,
  productionDef,
  stockTakeDef,
];

const byKind = new Map(documentTypes.map((def) => [def.kind, def]));

/** The document type of an entity type. */
export const documentType = (kind: string): AnyDocumentDef | undefined => byKind.get(kind);
