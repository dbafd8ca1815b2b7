import { execFile } from 'node:child_process';

export interface Ended {
  code: number;
  out: string;
  err: string;
}

/** The operator's commands on a database, each in a process of its own. */
export function operatorOn(databaseFile: string) {
  const run = (given: readonly string[], input = '') =>
    new Promise<Ended>((done) => {
      const env = { ...process.env, DATABASE_URL: `file:${encodeURI(databaseFile)}`, NO_COLOR: '1' };
      const child = execFile(
        process.execPath,
        ['server/operator/main.ts', ...given],
        { env, maxBuffer: 64 * 1_048_576 },
        (error, out, err) => done({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
      );
      child.stdin?.end(input);
    });
  return Object.assign((...given: string[]) => run(given), {
    /** With something on standard input. */
    reading: (input: string, ...given: string[]) => run(given, input),
  });
}
