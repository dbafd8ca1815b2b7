import type { LabEnvironment } from '../environment.ts';

/** Returns the file of the embedded database of an environment. */
export const databaseFileIn = ({ env }: LabEnvironment): string =>
  decodeURI(String(env.DATABASE_URL).slice('file:'.length));

/** Starts a service on that file. @returns its process and URL */
export async function startCrashableService(around: LabEnvironment) {
  const { child, said } = await around.start(['server/main.ts', '--empty'], {
    core: 'any',
    says: /http:\/\/\S+/,
    settings: { LOG_LEVEL: 'silent' },
  });
  return { child, base: /http:\/\/\S+/.exec(said)?.[0] ?? '' };
}

/** Creates a company. @returns a token with all scopes */
export async function createCrashCompany(around: LabEnvironment): Promise<string> {
  const { id } = await around.parley('company', 'create', '--name', 'Steady');
  const { token } = await around.parley('token', 'create', '--company', String(id), '--user', '17');
  return String(token);
}
