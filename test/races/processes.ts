import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type Api, apiAt } from '../http.ts';
import { makeCompany, startService } from '../service.ts';
import { temporaryFolder, type WhenOver } from '../temporary-folder.ts';

export type Processes = Awaited<ReturnType<typeof severalProcesses>>;

/** Several processes that serve one database. */
export async function severalProcesses(whenOver: WhenOver, count = 3) {
  const service = await startService({ whenOver });
  const keyFile = join(await temporaryFolder(whenOver), 'a.key');
  const env = {
    ...process.env,
    NODE_ENV: '',
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: service.database.url,
    PARLEY_SECRET_KEY_FILE: keyFile,
    PARLEY_RATE_PER_MINUTE: '0',
  };
  const said: string[] = [];
  const bases = await Promise.all(
    Array.from({ length: count }, async (): Promise<string> => {
      const child = spawn(process.execPath, ['server/main.ts', '--empty'], { env });
      whenOver(async () => {
        child.kill('SIGKILL');
        await once(child, 'exit');
      });
      let out = '';
      child.stdout.on('data', (data) => {
        out += data;
      });
      child.stderr.on('data', (data) => said.push(String(data)));
      return vi.waitFor(
        () => {
          const base = /http:\/\/[\d.]+:\d+/.exec(out)?.[0];
          if (!base) throw new Error(`The service has not started: ${said.join('')}`);
          return base;
        },
        { timeout: 20_000 },
      );
    }),
  );
  /** A company of its own, and its interface: at one process after the other, so that all of them are asked. */
  const company = async () => {
    const made = await makeCompany(service.store, service.base);
    const { token } = await made.token();
    let next = 0;
    const any = (): Api => {
      next += 1;
      return apiAt(bases[next % bases.length] ?? '', token);
    };
    return { ...made, any };
  };
  return { ...service, company, said };
}

/** Asks for something many times at once. */
export const atOnce = <T>(count: number, ask: (place: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => ask(place)));

/** How often each outcome is there. */
export function tallied(outcomes: readonly (string | number)[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const outcome of outcomes) tally[outcome] = (tally[outcome] ?? 0) + 1;
  return tally;
}
