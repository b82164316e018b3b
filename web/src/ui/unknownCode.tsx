import { IconBarcodeOff } from '@tabler/icons-react';
import { notFound } from './toast';

/** Says that a scanned code is unknown here, and offers to find what it is on by name. */
export function unknownCode(code: string, search?: { label: string; open(): void }): void {
  notFound(`Nothing here has the code ${code}.`, <IconBarcodeOff size={16} aria-hidden />, search);
}
