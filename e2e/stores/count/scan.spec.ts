// Scanning: Chromium's camera shows a test video. Chromium for Linux has no barcode detector, so that part is mocked;
// it answers only when the video's picture really came through the camera.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { whole } from '../../support/browser.ts';
import { atTestTime } from '../../support/clock.ts';
import { address, makeCounted } from '../../support/counts.ts';
import { enter } from '../../support/people.ts';
import { admin } from '../../support/server.ts';
import { expect, expectAccessible, test } from '../../support/test.ts';

// As in a real browser: with the service worker, which starts the console offline.
test.use({ serviceWorkers: 'allow' });

const folder = mkdtempSync(join(tmpdir(), 'larder-film-'));
const film = join(folder, 'film.y4m');
const [WIDTH, HEIGHT, BRIGHT] = [320, 240, 210];

let browser: Browser;

test.beforeAll(async () => {
  const frame = Buffer.concat([
    Buffer.from('FRAME\n'),
    Buffer.alloc(WIDTH * HEIGHT, BRIGHT),
    Buffer.alloc((WIDTH * HEIGHT) / 2, 128),
  ]);
  writeFileSync(film, Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420\n`), frame, frame]));
  browser = await chromium.launch({
    ...whole,
    args: [...whole.args, '--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`],
  });
});

test.afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A phone with a camera, whose detector sees `code` in any picture as bright as the video. */
async function phone(url: string, storeId: string, { reader = true, allowed = true } = {}): Promise<Page> {
  const context = await atTestTime(await browser.newContext({ baseURL: url, viewport: { width: 390, height: 844 } }));
  if (allowed) await context.grantPermissions(['camera'], { origin: url });
  const page = await context.newPage();
  if (reader) {
    await page.addInitScript((bright) => {
      class BarcodeDetector {
        async detect(video: HTMLVideoElement) {
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
          const pen = canvas.getContext('2d');
          pen?.drawImage(video, 0, 0);
          const [red = 0] = pen?.getImageData(video.videoWidth / 2, video.videoHeight / 2, 1, 1).data ?? [];
          const { code } = window as unknown as { code?: string };
          return code && Math.abs(red - bright) < 40 ? [{ rawValue: code }] : [];
        }
      }
      Object.assign(window, { BarcodeDetector });
    }, BRIGHT);
  }
  await enter(page, admin.email, admin.password);
  await page.goto(address('/store-count', storeId));
  await expect(page.getByText('0 of 6 counted')).toBeVisible();
  return page;
}

const show = (page: Page, code: string) => page.evaluate((seen) => Object.assign(window, { code: seen }), code);
const scan = (page: Page) => page.getByRole('button', { name: 'Scan a barcode' });

test('codes are scanned where camera and browser allow, and explained where not', async ({ api, baseURL }) => {
  await test.step('there is no button where the browser has no detector', async () => {
    const { storeId } = await makeCounted(api);
    const page = await phone(baseURL ?? '', storeId, { reader: false });
    // If Chromium gets one, this test shall fail.
    expect(await page.evaluate(() => 'BarcodeDetector' in window)).toBe(false);
    await expect(scan(page)).toHaveCount(0);
    await page.context().close();
  });

  await test.step('a code in front of the camera opens its item; an unknown one is reported and the next is read', async () => {
    const { storeId } = await makeCounted(api);
    const page = await phone(baseURL ?? '', storeId);
    await scan(page).click();
    const dialog = page.getByRole('dialog', { name: 'Scan a barcode' });
    await expect(dialog.getByText('Point the camera at the barcode.')).toBeVisible();
    await expectAccessible(page);
    await show(page, '111');
    await expect(dialog.getByText(/No item here has the code 111/)).toBeVisible();
    await expectAccessible(page);
    await show(page, '480000001004');
    await expect(page.getByRole('group', { name: 'Count of Red onion' })).toBeVisible();
    await expect(dialog).toBeHidden();
    // Our own shelf code works as well as the manufacturer's, and twelve digits may have a leading zero.
    for (const [code, name] of [['sku-1001', 'Beef shank'], ['0480000001003', 'Paper cup']] as const) {
      await show(page, '');
      await scan(page).click();
      await show(page, code);
      await expect(page.getByRole('group', { name: `Count of ${name}` })).toBeVisible();
    }
    // The camera is off again.
    expect(await page.evaluate(() => document.querySelector('video'))).toBeNull();
    await page.context().close();
  });

  await test.step('a blocked camera is reported, with what to do', async () => {
    const { storeId } = await makeCounted(api);
    const page = await phone(baseURL ?? '', storeId, { allowed: false });
    await scan(page).click();
    await expect(page.getByRole('alert')).toHaveText(/^The camera is blocked\. Allow it in your browser settings/);
    await expectAccessible(page);
    await page.context().close();
  });
});
