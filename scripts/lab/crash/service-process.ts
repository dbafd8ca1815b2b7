import type { Surroundings } from '../environment.ts';

/** The file of the embedded database of some surroundings. */
export const fileOf = ({ env }: Surroundings): string =>
  decodeURI(String(env.DATABASE_URL).slice('file:'.length));

/** Starts a service on that file. @returns its process, and where it is to be asked */
export async function startService(around: Surroundings) {
  const { child, said } = await around.start(['server/main.ts', '--empty'], {
    core: 'any',
    says: /http:\/\/\S+/,
    settings: { LOG_LEVEL: 'silent' },
  });
  return { child, base: /http:\/\/\S+/.exec(said)?.[0] ?? '' };
}

/** Makes a company. @returns a token of it that may do everything */
export async function makeCompany(around: Surroundings): Promise<string> {
  const { id } = await around.parley('company', 'create', '--name', 'Steady');
  const { token } = await around.parley('token', 'create', '--company', String(id), '--user', '17');
  return String(token);
}
