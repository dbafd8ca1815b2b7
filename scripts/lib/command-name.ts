import { readFileSync } from 'node:fs';
import { commandIo } from './command-io.ts';

/**
 * Returns a command as the user started it, for its help and its messages: `npm run mock --` or `parley-contract mock`.
 * @param called how it was called, if not by npm
 */
export const commandName = (called: string): string => {
  const script = commandIo().env.npm_lifecycle_event;
  return script === undefined || script === 'npx' ? called : `npm run ${script} --`;
};

/**
 * Returns the command that generates the files of the project in the working directory. The result does not depend on
 * how the current command was started, because generated files contain it.
 * @param given its arguments
 */
export const generateCommand = (given = ''): string =>
  hasGenerateScript()
    ? `npm run generate${given && ` -- ${given}`}`
    : `parley-contract generate${given && ` ${given}`}`;

function hasGenerateScript(): boolean {
  try {
    const { scripts }: { scripts?: Record<string, string> } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    );
    return scripts?.generate !== undefined;
  } catch {
    return false;
  }
}
