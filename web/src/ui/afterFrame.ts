/** Does what need not be in the next frame when that frame has been drawn. */
export function afterFrame(work: () => void): void {
  // A page that nobody sees draws none.
  if (document.visibilityState === 'hidden') setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
}
