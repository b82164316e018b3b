// Sets the colour scheme before the first paint. A file of its own, because the content security
// policy allows no inline script.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('larder:scheme');
  } catch {
    // Storage may be switched off; the device's own preference still applies.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
