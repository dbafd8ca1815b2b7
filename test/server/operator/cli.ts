import { Readable, Writable } from 'node:stream';
import { runCli } from '../../../server/operator/run-cli.ts';
import { checkStatements } from '../../support/explain-statements.ts';
import { recordStatements, type Statements } from '../../support/record-statements.ts';

export interface CliResult {
  code: number;
  out: string;
  err: string;
}

/**
 * Returns a function that runs an operator command on a database, as main.ts does, but in this process. A single
 * argument is split at its spaces.
 */
export function createCli(databaseUrl: string, variables: Record<string, string> = {}) {
  const run = async (given: readonly string[], input = ''): Promise<CliResult> => {
    const [stdout, stderr] = [collecting(), collecting()];
    const statements: Statements = new Map();
    const code = await recordStatements(statements, () =>
      runCli(given, {
        env: { DATABASE_URL: databaseUrl, ...variables },
        stdin: Readable.from([Buffer.from(input)]),
        stdout,
        stderr,
      }),
    );
    await checkStatements(databaseUrl, statements);
    return { code, out: stdout.text(), err: stderr.text() };
  };
  return Object.assign(
    (...given: string[]) => run(given.length === 1 ? (given[0] ?? '').split(' ') : given),
    {
      /** Runs a command with standard input. */
      reading: (input: string, ...given: string[]) => run(given, input),
    },
  );
}

function collecting() {
  const parts: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      parts.push(String(chunk));
      done();
    },
  });
  return Object.assign(stream, { text: () => parts.join('') });
}
