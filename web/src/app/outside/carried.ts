// The password just signed in with, for the one screen that may follow at once and ask for a new one.

let password = '';

export function carry(given: string): void {
  password = given;
}

/** Handed over once. */
export function carried(): string {
  const given = password;
  password = '';
  return given;
}
