// Keeps the password just signed in with, in memory, for the change-password screen that may follow at once.

let password = '';

export function keepPassword(given: string): void {
  password = given;
}

/** Returns the password and forgets it. */
export function takePassword(): string {
  const given = password;
  password = '';
  return given;
}
