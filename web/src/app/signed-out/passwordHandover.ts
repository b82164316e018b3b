// Keeps the password just signed in with, in memory, for the change-password screen that may follow at once.

let password = '';

export function keepPassword(given: string): void {
  password = given;
}

/** The password just signed in with, or ''. Reading changes nothing: a render may be thrown away and done again. */
export function keptPassword(): string {
  return password;
}

export function forgetPassword(): void {
  password = '';
}
