import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { validators } from '../../server/validation/second-validator/second-validator.ts';
import { sampledGuides } from '../scripts/contract/docs/guide-samples.ts';
import { createTestDatabase } from '../support/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The shell commands of the walkthrough guide, in order. */
const commands = sampledGuides()
  .flatMap(({ name, samples }) => (name === 'walkthrough' ? samples : []))
  .flatMap(({ role, code }) => (role === 'walkthrough' ? [code] : []))
  .join('\n');

test.each(validators)(
  'the commands of the walkthrough work as written, with --validator %s',
  async (which) => {
    const folder = await temporaryFolder();
    const { url } = await createTestDatabase({ empty: true });
    const keyFile = join(folder, 'a.key');
    const env = {
      ...process.env,
      DATABASE_URL: url,
      PARLEY_SECRET_KEY: `file:${encodeURI(keyFile)}`,
      NO_COLOR: '1',
    };
    const service = spawn(process.execPath, ['server/main.ts', '--empty', '--validator', which], {
      env: { ...env, PORT: '0' },
    });
    onTestFinished(() => void service.kill('SIGKILL'));
    let heard = '';
    let logged = '';
    service.stderr.on('data', (data) => {
      logged += data;
    });
    service.stdout.on('data', (data) => {
      heard += data;
    });
    await expect.poll(() => heard).toContain('npm run -s parley -- --help');
    const base = /http:\/\/[\d.:]+/.exec(heard)?.[0] ?? '';

    const script = commands
      .replace('http://127.0.0.1:8080', base)
      // Runs the CLI without npm, because the commands run in a temporary folder, where they may write files.
      .replace('npm run -s parley --', `"${process.execPath}" "${resolve('server/operator/main.ts')}"`);
    const { code, out, err } = await new Promise<{ code: number; out: string; err: string }>((done) =>
      execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env }, (error, stdout, stderr) =>
        done({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout, err: stderr }),
      ),
    );
    expect(`${code} ${out} ${err}`).toMatch(/^0 /);
    expect(out).toMatch(/^Webhook-Secret: whsec_/m);
    expect(out).toContain('4 already there');
    expect(out).toContain('the contact has changed');
    expect(out).toContain('"code":41201');
    expect(out).toMatch(/^conversations +2$/m);
    expect(out).toMatch(/^closed conversations +1$/m);
    expect(out).toMatch(/^archived conversations +0$/m);
    expect(out).toMatch(/^messages +5$/m);
    expect(out).toMatch(/^1 +1 +message\.created +(on|failing) +3 +\d+ +\d+ +POST/m);
    expect(out).toContain('"message":"Webhook 1 was deleted."');
    expect(logged).not.toContain('validators differ');
    service.kill('SIGTERM');
    await once(service, 'exit');
  },
);
