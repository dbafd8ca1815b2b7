import type { DatabaseConfig } from './database-url.ts';
import { type Variable, variables } from './variables.ts';

/** An environment variable has an invalid value. The message names the variable and the accepted values. */
export class ConfigError extends Error {}

type Variables = typeof variables;

/** The settings of a process, with the same keys as `variables`. */
export type Config = { [K in keyof Variables]: Exclude<ReturnType<Variables[K]['read']>, undefined> };

export type Environment = Readonly<Record<string, string | undefined>>;

function readVariable<T>(
  environment: Environment,
  { name, defaultValue, read, expected, secret }: Variable<T>,
): T {
  const text = environment[name] || defaultValue;
  const value = read(text);
  if (value === undefined)
    throw new ConfigError(
      `${name} is ${secret ? 'not usable' : `"${withoutSecrets(text)}"`}; it must be ${expected}.`,
    );
  return value;
}

/** Reads the configuration from environment variables. @throws ConfigError */
export const readConfig = (environment: Environment): Config =>
  Object.fromEntries(
    Object.entries(variables).map(([key, variable]) => [key, readVariable<unknown>(environment, variable)]),
  ) as Config;

/** Reads DATABASE_URL alone. @throws ConfigError */
export const readDatabaseConfig = (environment: Environment): DatabaseConfig =>
  readVariable<DatabaseConfig>(environment, variables.database);

/** Hides everything but the scheme of a value that looks like a URL, because it may contain a password. */
const withoutSecrets = (text: string): string => text.replace(/^(?!file:)([a-z][a-z0-9+.-]*:).*/is, '$1…');
