import { readFileSync } from 'node:fs';

const own = JSON.parse(readFileSync('package.json', 'utf8'));

/** The oldest Node that the scripts run on. */
export const requiredNode: string = own.devEngines.runtime.version.replace('>=', '');

/** The npm scripts that run a program of this project on Node, each with its name and its command. */
export const nodeScripts = Object.entries<string>(own.scripts)
  .flatMap(([name, text]) => text.split(' && ').map((command): [string, string] => [name, command]))
  .filter(([, command]) => /^node (?!node_modules)/.test(command));
