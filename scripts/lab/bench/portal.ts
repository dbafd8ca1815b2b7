import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { chromiumArguments, findChromium } from '../../lib/chromium.ts';
import { type Measurement, median } from '../../lib/statistics.ts';
import { createLabEnvironment } from '../environment.ts';

const megabitsPerSecond = 10;
const latencyMs = 40;
const loads = 5;

/** Pages of the portal, and the largest time in which their text must be readable, in seconds. */
const pages = { 'reference.html': 1, 'guides/quickstart.html': 1 };

/** Measures how fast a browser with a slow connection shows the portal of `npm start`, and how many bytes it loads. */
export async function benchPortal(
  { rounds }: { rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium: apt-get install chromium.');
  onProgress('portal: build');
  await promisify(execFile)(process.execPath, ['scripts/commands/docs-build.ts']);
  const environment = createLabEnvironment(undefined);
  const browser = await chromium.launch({ executablePath, args: chromiumArguments });
  try {
    const { output } = await environment.start(['server/main.ts', '--empty'], {
      core: 'any',
      says: /http:\/\/\S+/,
    });
    const base = /http:\/\/[\d.:]+/.exec(output)?.[0] ?? '';
    const measurements: Measurement[] = [];
    for (const [name, most] of Object.entries(pages)) {
      const seconds: number[] = [];
      let kilobytes = 0;
      for (let round = 1; round <= rounds; round += 1) {
        onProgress(`portal: ${name}, round ${round} of ${rounds}`);
        const shown = [];
        for (let load = 0; load < loads; load += 1) shown.push(await show(browser, `${base}/docs/${name}`));
        seconds.push(median(shown.map((each) => each.seconds)));
        kilobytes = median(shown.map((each) => each.bytes)) / 1_000;
      }
      measurements.push(
        { what: `${name}: text is readable, s`, values: seconds, goal: { most } },
        { what: `${name}: loaded, kB`, values: [kilobytes] },
      );
    }
    return measurements;
  } finally {
    await browser.close();
    await environment.close();
  }
}

/** Opens a page with an empty cache. @returns the time of the first text, and the bytes of all responses */
async function show(browser: Browser, url: string): Promise<{ seconds: number; bytes: number }> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: latencyMs,
      downloadThroughput: (megabitsPerSecond * 1e6) / 8,
      uploadThroughput: (megabitsPerSecond * 1e6) / 8,
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    if (paint === undefined) throw new Error(`${url} has shown nothing.`);
    return { seconds: paint / 1_000, bytes };
  } finally {
    await context.close();
  }
}
