/** Whether a key press belongs to a field. */
export function isTyping(event: KeyboardEvent): boolean {
  const at = event.target as HTMLElement | null;
  if (!at?.closest) return false;
  if (at.isContentEditable) return true;
  const field = at.closest('input, textarea, select');
  if (!field) return false;
  return !(field instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(field.type));
}

/** Whether a dialog, drawer or open menu has the keyboard. */
export function overlayOpen(): boolean {
  const found = document.querySelectorAll('[aria-modal="true"], [role="menu"], [role="listbox"]');
  // The list of a closed choice stays in the document, unseen.
  return [...found].some((element) => element.checkVisibility?.() ?? true);
}
