import type { Config } from './config.ts';
import { type Variable, variables } from './variables.ts';

const all: [string, Variable<unknown>][] = Object.entries(variables);

/** The settings of `npm run worker`. */
export const workerSettings = all.filter(([, { apiOnly }]) => !apiOnly).map(([key]) => key as keyof Config);

/** Returns the names of the variables of settings. */
export const variableNames = (keys = Object.keys(variables) as (keyof Config)[]): string[] =>
  keys.map((key) => variables[key].name);

const longestName = Math.max(...Object.values(variables).map(({ name }) => name.length));

/** Returns one line for each variable, for `--help`. */
export const configHelp = (keys = Object.keys(variables) as (keyof Config)[]): string =>
  keys
    .map((key) => variables[key])
    .map(
      ({ name, defaultValue, description }) =>
        `  ${name.padEnd(longestName)} ${description}${defaultValue ? ` (${defaultValue})` : ''}`,
    )
    .join('\n');
