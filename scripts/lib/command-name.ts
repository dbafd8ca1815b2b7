import { readFileSync } from 'node:fs';

/**
 * Returns how a command was called, for its help and its messages: `npm run mock --` or `parley-contract mock`.
 * @param name the name of the command in `parley-contract`
 */
export const commandName = (name: string): string => {
  const script = process.env.npm_lifecycle_event;
  return script === undefined || script === 'npx' ? `parley-contract ${name}` : `npm run ${script} --`;
};

/**
 * Returns the command that generates the files of the project in the working directory. It does not depend on how it was
 * called, because generated files name it.
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
