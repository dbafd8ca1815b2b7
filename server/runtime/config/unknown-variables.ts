import { closest } from 'fastest-levenshtein';
import type { Environment } from './config.ts';
import { variables } from './variables.ts';

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
