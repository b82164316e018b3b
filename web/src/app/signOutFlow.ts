// Signing out on purpose: asks first when counts on this device are not sent yet.
import { signOut } from '#/api/session';
import { countWaiting } from '#/offline/outboxes';
import { beginSignOut } from './sessionEnd';

type SignOutQuestion = () => Promise<boolean>;

let question: SignOutQuestion | null = null;

/** Sets the function that asks the user; null when there is none. */
export function setSignOutQuestion(by: SignOutQuestion | null): void {
  question = by;
}

export async function confirmAndSignOut(): Promise<void> {
  if (countWaiting() > 0 && question && !(await question())) return;
  beginSignOut();
  await signOut();
}
