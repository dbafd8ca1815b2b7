import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** A system call on a database file, or data that the service sends to a client (`tell`). */
export type SystemCall =
  | { did: 'write'; path: string; at: number; bytes: Buffer }
  | { did: 'truncate'; path: string; length: number }
  | { did: 'sync'; path: string }
  | { did: 'remove'; path: string }
  | { did: 'tell'; text: string };

const traced = 'pwrite64,write,writev,sendto,ftruncate,fsync,fdatasync,unlink,unlinkat';

/**
 * Runs a Node program and records its relevant system calls in a file.
 * @throws Error if strace is not installed
 */
export async function traceSystemCalls(file: string, given: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(
    'strace',
    [
      '-f',
      '--seccomp-bpf',
      '-y',
      '-xx',
      '-s',
      '2000000',
      '-o',
      file,
      '-e',
      `trace=${traced}`,
      process.execPath,
      ...given,
    ],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await Promise.race([
    once(child, 'spawn'),
    once(child, 'error').then(([error]) => {
      throw new Error('strace is not installed: install it, or skip this scenario.', { cause: error });
    }),
  ]);
  return child;
}

const bytesOf = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/\\x([0-9a-f]{2})|./g, (_all, hex: string | undefined) => hex ?? ''),
    'hex',
  );

const patterns = {
  write: /pwrite64\(\d+<(.*?)>, "(.*?)"\.*, \d+, (\d+)/,
  truncate: /ftruncate\(\d+<(.*?)>, (\d+)/,
  sync: /(?:fsync|fdatasync)\(\d+<(.*?)>/,
  remove: /unlink(?:at)?\((?:\w+(?:<.*?>)?, )?"(.*?)"/,
  send: /(?:write|writev|sendto)\(\d+<(.*?)>, (.*)/,
};

/** Parses successful system calls, ordered by their start. */
export async function parseSystemCalls(
  file: string,
  isOurs: (path: string) => boolean,
): Promise<SystemCall[]> {
  const calls: SystemCall[] = [];
  const onPath = (call: Exclude<SystemCall, { did: 'tell' }>) => {
    if (isOurs(call.path)) calls.push(call);
  };
  for await (const line of createInterface({ input: createReadStream(file, 'latin1') })) {
    if (/ = -1 E/.test(line) || line.includes(' resumed>')) continue;
    const write = patterns.write.exec(line);
    const truncate = patterns.truncate.exec(line);
    const sync = patterns.sync.exec(line);
    const remove = patterns.remove.exec(line);
    const tell = patterns.send.exec(line);
    if (write)
      onPath({ did: 'write', path: named(write[1]), at: Number(write[3]), bytes: bytesOf(write[2] ?? '') });
    else if (truncate) onPath({ did: 'truncate', path: named(truncate[1]), length: Number(truncate[2]) });
    else if (sync) onPath({ did: 'sync', path: named(sync[1]) });
    else if (remove) onPath({ did: 'remove', path: bytesOf(remove[1] ?? '').toString() });
    else if (tell && /^(socket|TCP)/.test(named(tell[1]))) {
      const parts = Array.from((tell[2] ?? '').matchAll(/"(.*?)"/g), ([, part = '']) =>
        bytesOf(part).toString(),
      );
      calls.push({ did: 'tell', text: parts.join('') });
    }
  }
  return calls;
}

/** Decodes a path. With `-xx`, strace writes paths in hexadecimal. It appends `(deleted)` to deleted files. */
const named = (path = ''): string =>
  (path.includes('\\x') ? bytesOf(path).toString() : path).replace(/ ?\(deleted\)$/, '');
