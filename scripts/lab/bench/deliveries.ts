import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { createLabEnvironment, type LabEnvironment } from '../environment.ts';
import { createTenant, reportsUsage, usageOf } from '../service.ts';
import type { Measurement } from './measurement.ts';

const webhooks = 50;
/** Each contact of a turn causes one delivery per webhook. */
const contactsPerTurn = 20;
const warmUpTurns = 3;
const concurrency = 16;

/** Measures the CPU time of a worker per delivery, and that of a process that only sends requests. */
export async function benchDeliveries(
  { database, turns }: { database: string | undefined; turns: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const environment = createLabEnvironment(database);
  try {
    const receiver = await environment.receiver();
    const url = `http://127.0.0.1:${receiver.port}/in`;
    const post = await startService(environment, url);
    const worker = await startMeasured(environment, 'server/worker.ts', /sends webhooks/, {});
    const sender = await startMeasured(environment, 'scripts/lab/bench/baseline-sender.ts', /ready/, {
      BENCH_URL: url,
      BENCH_COUNT: String(webhooks * contactsPerTurn),
      BENCH_AT_ONCE: String(concurrency),
      BENCH_BODY: 'x'.repeat(700),
    });
    const count = webhooks * contactsPerTurn;
    const cpuPerRequest = async (child: ChildProcess, begin: () => unknown): Promise<number> => {
      const before = await usageOf(child);
      await begin();
      for (let seen = 0; seen < count; await wait(20)) seen += await receiver.seen();
      return ((await usageOf(child)).cpu - before.cpu) / count;
    };
    const bare: number[] = [];
    const own: number[] = [];
    for (let turn = -warmUpTurns; turn < turns; turn += 1) {
      onProgress(`deliveries: turn ${Math.max(0, turn + 1)} of ${turns}`);
      const ofSender = await cpuPerRequest(sender, () => sender.kill('SIGHUP'));
      const ofWorker = await cpuPerRequest(worker, () => createContacts(post, turn));
      if (turn < 0) continue;
      bare.push(ofSender);
      own.push(ofWorker);
    }
    return [
      { what: 'loop of undici, µs of CPU time per request', values: bare },
      { what: 'worker, µs of CPU time per delivery', values: own },
      { what: 'worker / loop of undici', values: own.map((cpu, turn) => cpu / (bare[turn] ?? Number.NaN)) },
    ];
  } finally {
    await environment.close();
  }
}

/** Creates a resource. @throws Error if it is rejected */
type Post = (path: string, body: object) => Promise<void>;

/** Starts a service whose webhooks send to a URL. */
async function startService(environment: LabEnvironment, url: string): Promise<Post> {
  const { url: base } = await environment.start(['server/main.ts', '--empty'], {
    core: 1,
    settings: { PARLEY_EMBEDDED_WORKER: 'no' },
  });
  const { headers } = await createTenant(environment);
  const post: Post = async (path, body) => {
    const sent = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${base}/api/v1${path}`, sent);
    const text = await response.text();
    if (response.status !== 201) throw new Error(`${path} returned ${response.status}: ${text}`);
  };
  const contactCreated = { verb_id: 3, entity_id: 2, action_id: 1 };
  for (let made = 0; made < webhooks; made += 1) await post('/webhooks', { ...contactCreated, url });
  return post;
}

const createContacts = (post: Post, turn: number) =>
  Promise.all(
    Array.from({ length: contactsPerTurn }, (_, at) =>
      post('/contacts', {
        first_name: 'Ada',
        last_name: `Lindqvist ${turn * contactsPerTurn + at}`,
        email_address: `ada.${turn * contactsPerTurn + at}@example.com`,
        telephone_number: '+46701234567',
      }),
    ),
  );

const startMeasured = async (
  { start }: LabEnvironment,
  program: string,
  says: RegExp,
  settings: Record<string, string>,
): Promise<ChildProcess> => (await start([...reportsUsage, program], { says, settings })).child;
