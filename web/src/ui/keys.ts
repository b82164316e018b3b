/** Whether the event comes from an input. */
export function isTyping(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement | null;
  if (!at?.closest) return false;
  if (at.isContentEditable) return true;
  const field = at.closest('input, textarea, select');
  if (!field) return false;
  return !(field instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(field.type));
}

/** Whether the event comes from a field of a form of figures: none of them takes a question mark. */
export function isFigure(event: KeyboardEvent): boolean {
  const at = event.target;
  return at instanceof HTMLInputElement && at.closest('[data-figures]') !== null;
}

/** Whether a dialog, drawer or menu is open. */
export function overlayOpen(): boolean {
  const found = document.querySelectorAll('[aria-modal="true"], [role="menu"], [role="listbox"]');
  // Closed selects keep their list in the document, hidden.
  return [...found].some((element) => element.checkVisibility?.() ?? true);
}

/** Whether the key is «/» for the search: not while text is typed, but in a grid's number cell that is only selected. */
export function goesToSearch(event: KeyboardEvent): boolean {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return false;
  const at = event.target;
  const selected =
    at instanceof HTMLInputElement &&
    at.dataset.right !== undefined &&
    at.dataset.editing === 'false';
  return selected || !isTyping(event);
}
