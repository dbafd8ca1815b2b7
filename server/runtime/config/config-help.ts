import { closest } from 'fastest-levenshtein';
import type { Config, Environment } from './config.ts';
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

/** An environment variable with the prefix of settings that no setting has. */
export interface UnknownVariable {
  name: string;
  /** The setting with the most similar name. */
  nearest: string;
}

/** Returns the environment variables with the prefix `PARLEY_` that are no settings, such as misspelled ones. */
export function unknownVariables(environment: Environment): UnknownVariable[] {
  const names = Object.values(variables).map(({ name }) => name);
  return Object.keys(environment)
    .filter((name) => name.startsWith('PARLEY_') && !names.includes(name))
    .map((name) => ({
      name,
      nearest: names.find((known) => known.startsWith(name)) ?? closest(name, names),
    }));
}
