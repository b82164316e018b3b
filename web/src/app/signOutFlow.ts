// Deliberate sign-out: asks first when counts on this device are unsent.
import { signOut } from '#/api/session';
import { countWaiting } from '#/offline/outboxes';
import { beginSignOut } from './sessionEnd';

type SignOutQuestion = () => Promise<boolean>;

let question: SignOutQuestion | null = null;

/** Sets the function that asks the user, or null. */
export function setSignOutQuestion(by: SignOutQuestion | null): void {
  question = by;
}

export async function confirmAndSignOut(): Promise<void> {
  if (countWaiting() > 0 && question && !(await question())) return;
  beginSignOut();
  await signOut();
}
