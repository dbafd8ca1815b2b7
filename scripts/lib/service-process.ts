import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const timeoutMs = 20_000;

/**
 * Starts the service from this source in a separate process, on a free port, with an empty database and the demo
 * company.
 * @returns its URL, and a token with all scopes
 * @throws Error with the service's output if it does not start
 */
export async function startServiceProcess() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-check-'));
  const env = {
    ...process.env,
    NODE_ENV: '',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `file:${join(folder, 'parley.db')}`,
    PARLEY_SECRET_KEY: `file:${encodeURI(join(folder, 'parley.key'))}`,
    // Rate limits are off, because a check sends more requests than a client may. The worker is off, so that no webhook
    // is called.
    PARLEY_RATE_PER_MINUTE: '0',
    PARLEY_EMBEDDED_WORKER: 'no',
    PARLEY_METRICS_PORT: '',
    LOG_LEVEL: 'info',
  };
  const child = spawn(process.execPath, ['server/main.ts', '--validator', 'ours'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = once(child, 'exit');
  const close = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await gone;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { base, token } = await started(child);
    return { base, token, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Waits for the URL and the token that the first start prints. */
function started(child: ReturnType<typeof spawn>): Promise<{ base: string; token: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = () => {
      clearTimeout(timer);
      const why =
        output
          .trim()
          .split('\n')
          .filter((line) => line.includes('✘') || line.includes('Error'))
          .at(0) ?? output.trim().slice(-300);
      reject(new Error(`The service does not start: ${why}`));
    };
    const timer = setTimeout(fail, timeoutMs);
    child.once('exit', fail);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data) => {
        output += data;
        const [base] = /http:\/\/[\d.]+:\d+/.exec(output) ?? [];
        const [token] = /ply_live_\w+/.exec(output) ?? [];
        if (base === undefined || token === undefined || !output.includes('"started"')) return;
        clearTimeout(timer);
        child.off('exit', fail);
        resolve({ base, token });
      });
  });
}
