import type { KeyboardEvent } from 'react';

interface Options {
  /** Confirms the dialog; null while it cannot be confirmed. */
  confirm: (() => void) | null;
  /** Enter alone does not confirm what cannot be undone. */
  danger?: boolean;
}

/** What uses Enter itself, or is open. */
const USES_ENTER =
  'textarea, button, a[href], select, summary, [contenteditable="true"], [role="option"], input[type="file"], input[type="checkbox"], input[type="radio"], [data-expanded], [aria-expanded="true"]';

/**
 * The keys of a dialog: Ctrl+Enter, or ⌘+Enter, confirms from wherever the focus is, Enter from a field of one line.
 * The page behind the dialog does not get them.
 */
export function confirmKeys({ confirm, danger = false }: Options) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    // A key that is held down confirms nothing, not even the button that got the focus meanwhile.
    if (event.repeat) event.preventDefault();
    if (event.defaultPrevented || event.shiftKey || event.altKey) return;
    const always = event.ctrlKey || event.metaKey;
    const at = event.target instanceof Element ? event.target : null;
    if (!always && (danger || at?.closest(USES_ENTER))) return;
    event.preventDefault();
    confirm?.();
  };
}
