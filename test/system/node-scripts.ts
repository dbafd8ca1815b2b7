import { readFileSync } from 'node:fs';

const own = JSON.parse(readFileSync('package.json', 'utf8'));

/** The oldest Node that the scripts run on. */
export const requiredNode: string = own.devEngines.runtime.version.replace('>=', '');

const commands = Object.entries<string>(own.scripts)
  .flatMap(([name, text]) => text.split(' && ').map((command): [string, string] => [name, command]))
  .filter(([, command]) => /^node (?!node_modules)/.test(command));

/** The program that a command runs, with what Node loads before it: `server/main.ts`. */
const programOf = (command: string): string =>
  command
    .split(' ')
    .filter((word) => /\.m?[jt]s$/.test(word))
    .join();

/** An npm script for each program of this project that scripts run, with its name and its command. */
export const nodeScripts = [...Map.groupBy(commands, ([, command]) => programOf(command)).values()].flatMap(
  ([first]) => (first ? [first] : []),
);
