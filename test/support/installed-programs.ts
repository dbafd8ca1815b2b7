import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a program is on the PATH. */
export const hasProgram = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));

/** Returns the path of Chromium: from `PARLEY_CHROMIUM`, or on the PATH. */
export const findChromium = (): string | undefined =>
  process.env.PARLEY_CHROMIUM ??
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
    .find((path) => existsSync(path));
