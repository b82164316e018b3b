// Signing out on purpose. What is only on this device is spoken of first.
import { signOut } from '#/api/session';
import { waitingInAll } from '#/offline/registry';
import { leave } from './departure';

type Asker = () => Promise<boolean>;

let asker: Asker | null = null;

/** Whoever draws the question answers for it. */
export function askBy(by: Asker | null): void {
  asker = by;
}

export async function goOut(): Promise<void> {
  if (waitingInAll() > 0 && asker && !(await asker())) return;
  leave();
  await signOut();
}
