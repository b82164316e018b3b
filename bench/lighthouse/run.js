// Lighthouse's desktop preset on one page: `node run.js URL RUNS [COOKIE]` prints a line of JSON a run.
import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';
import { chromeFlags, chromePath } from './chromium.js';

const [url, runs, cookie] = process.argv.slice(2);

/** Maximum recordings without a beginning, for which Lighthouse asks for another run. */
let again = 3;

for (let run = 0; run < Number(runs); run += 1) {
  const chrome = await launch({ chromePath, chromeFlags });
  try {
    const flags = {
      port: chrome.port,
      onlyCategories: ['performance'],
      logLevel: 'error',
      ...(cookie ? { extraHeaders: { Cookie: cookie } } : {}),
    };
    const { lhr } = await lighthouse(url, flags, desktopConfig);
    if (lhr.runtimeError?.code === 'NO_NAVSTART' && again > 0) {
      again -= 1;
      run -= 1;
      console.error(`   ${url}: the recording lacks its beginning, once more`);
      continue;
    }
    const ms = (audit) => lhr.audits[audit].numericValue;
    const found = {
      version: lhr.lighthouseVersion,
      url: lhr.finalDisplayedUrl,
      error: lhr.runtimeError?.message,
      score: (lhr.categories.performance.score ?? 0) * 100,
      fcp: ms('first-contentful-paint'),
      lcp: ms('largest-contentful-paint'),
      tbt: ms('total-blocking-time'),
      shift: ms('cumulative-layout-shift'),
    };
    console.log(JSON.stringify(found));
  } finally {
    await chrome.kill();
  }
}
