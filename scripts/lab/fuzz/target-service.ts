import { createLabEnvironment } from '../environment.ts';
import { reportsUsage, usageOf } from '../usage.ts';
import type { FuzzTarget } from './generator.ts';

/** Starts the service that is fuzzed, on a temporary database. */
export async function startTargetService() {
  const environment = createLabEnvironment(undefined);
  const { args, settings } = reportsUsage('heap');
  try {
    const { child, output } = await environment.start([...args, 'server/main.ts', '--empty'], {
      core: 'any',
      says: /http:\/\/\S+/,
      settings,
    });
    const port = Number(new URL(/http:\/\/\S+/.exec(output)?.[0] ?? '').port);
    const of = ['--company', String((await environment.parley('company', 'create', '--name', 'Acme')).id)];
    const { token } = await environment.parley('token', 'create', ...of, '--user', '1');
    const post = async (path: string, body: object) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return response.json();
    };
    const { id } = await post('/api/v1/contacts', { first_name: 'Ada' });
    const opened = await environment.parley(
      ...['conversation', 'open', ...of, '--contact', String(id), '--service', 'mail'],
    );
    const target: FuzzTarget = { token: String(token), conversationId: Number(opened.id) };
    return {
      port,
      target,
      /** Whether the service is still running. */
      lives: () => child.exitCode === null && child.signalCode === null,
      heap: () => usageOf(child),
      close: environment.close,
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}
