import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Arguments that stop background requests and allow running as root. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of Chromium: from `PARLEY_CHROMIUM`, or on the PATH. */
export const findChromium = (): string | undefined =>
  process.env.PARLEY_CHROMIUM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
    .find((path) => existsSync(path));
