/** Whether an error says that code, or the styles that come with it, could not be fetched. */
export function isMissingCode(error: unknown): boolean {
  // Browsers throw a TypeError for a module; the loader throws an Error of its own for a style sheet.
  return (
    error instanceof TypeError ||
    (error instanceof Error && error.message.startsWith('Unable to preload CSS'))
  );
}
