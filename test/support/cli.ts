import { Readable, Writable } from 'node:stream';
import { runCli } from '../../server/operator/run-cli.ts';
import { checkStatements } from './explain-statements.ts';
import { recordStatements, type Statements } from './record-statements.ts';

export interface CliResult {
  code: number;
  out: string;
  err: string;
}

/** The words of a command line. The first one is split at its spaces. */
type Words = readonly [line: string, ...more: (string | number)[]];

export type Cli = ReturnType<typeof createCli>;

/** Returns a function that runs an operator command on a database, as main.ts does, but in this process. */
export function createCli(databaseUrl: string, variables: Record<string, string> = {}) {
  const run = async ([line, ...more]: Words, input = ''): Promise<CliResult> => {
    const [stdout, stderr] = [collecting(), collecting()];
    const statements: Statements = new Map();
    const code = await recordStatements(statements, () =>
      runCli([...line.split(' '), ...more.map(String)], {
        env: { DATABASE_URL: databaseUrl, ...variables },
        stdin: Readable.from([Buffer.from(input)]),
        stdout,
        stderr,
      }),
    );
    await checkStatements(databaseUrl, statements);
    return { code, out: stdout.text(), err: stderr.text() };
  };
  return Object.assign((...words: Words) => run(words), {
    /** Runs a command with standard input. */
    reading: (input: string, ...words: Words) => run(words, input),
    /** Runs a command that must succeed. @returns its JSON */
    async json(...words: Words) {
      const { code, out, err } = await run([...words, '--json']);
      if (code !== 0) throw new Error(`${words.join(' ')} exited with ${code}: ${err}`);
      return JSON.parse(out);
    },
  });
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
