// The last page of a sign-in with Google: hands the outcome to the console's page and goes away.
const result = JSON.parse(document.querySelector('meta[name="larder-result"]').content);
if (result.mode === 'redirect') {
  const failed = new URLSearchParams({ error: result.code ?? '' });
  if (result.mfaPendingCredential)
    sessionStorage.setItem('larder:second-factor', result.mfaPendingCredential);
  location.replace(result.ok ? result.returnTo : `/login?${failed}`);
} else {
  const channel = new BroadcastChannel('larder-sign-in');
  channel.postMessage({ type: 'larder:google', ...result });
  channel.close();
  window.close();
  // A browser that does not let a page close itself shows what to do instead.
  document.querySelector('p').textContent = 'You can close this window.';
}
