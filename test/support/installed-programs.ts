import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const found = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Whether a program is on the PATH. */
export const hasProgram = (name: string): boolean => found(name) !== undefined;

/** The browser for tests: PARLEY_CHROMIUM, or an installed one; undefined if no browser is installed. */
export const browserPath: string | undefined =
  process.env.PARLEY_CHROMIUM ?? found('chromium') ?? found('chromium-browser') ?? found('google-chrome');
