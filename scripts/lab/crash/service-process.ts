import type { LabEnvironment } from '../environment.ts';

/** Returns the path of an environment's embedded database. */
export const databaseFileIn = ({ env }: LabEnvironment): string =>
  decodeURI(String(env.DATABASE_URL).slice('file:'.length));

/** Starts a service on an environment's database. @returns its process and URL */
export async function startCrashableService(environment: LabEnvironment) {
  const { child, output } = await environment.start(['server/main.ts', '--empty'], {
    core: 'any',
    says: /http:\/\/\S+/,
    settings: { LOG_LEVEL: 'silent' },
  });
  return { child, base: /http:\/\/\S+/.exec(output)?.[0] ?? '' };
}

/** Creates a company. @returns a token with all scopes */
export async function createCrashCompany(environment: LabEnvironment): Promise<string> {
  const { id } = await environment.parley('company', 'create', '--name', 'Steady');
  const { token } = await environment.parley('token', 'create', '--company', String(id), '--user', '17');
  return String(token);
}
