import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { createPostgresServer } from '../../lib/postgres-server.ts';
import { createLabEnvironment } from '../environment.ts';
import type { DatasetSizes } from './dataset.ts';
import { type LoadedDataset, loadDataset } from './load.ts';

export type ScaleEngine = 'embedded' | 'PostgreSQL';

/** A running service whose database contains a data set. */
export interface ServiceUnderTest {
  sizes: DatasetSizes;
  loaded: LoadedDataset;
  /** Sends a request. @returns the status and the response time in milliseconds */
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<TimedResponse>;
  close(): Promise<void>;
}

export interface TimedResponse {
  status: number;
  ms: number;
  text: string;
  /** The `Link` header. */
  link: string;
}

export interface ServiceUnderTestOptions {
  engine: ScaleEngine;
  sizes: DatasetSizes;
  /** Data in this folder is reused and kept. */
  folder: string;
  onProgress: (lines: number) => void;
}

// Sized for a dedicated server: shared_buffers is 25 % of its memory, as PostgreSQL's manual recommends.
const settings = ['shared_buffers=4GB', 'max_wal_size=8GB', 'effective_cache_size=12GB'];

/** Starts a service. Imports the data set first, unless the folder already contains it. */
export async function startServiceUnderTest({
  engine,
  sizes,
  folder,
  onProgress,
}: ServiceUnderTestOptions): Promise<ServiceUnderTest> {
  const mine = join(folder, `${engine.toLowerCase()} ${sizes.contacts} ${sizes.values}`);
  await mkdir(mine, { recursive: true });
  const postgres =
    engine === 'PostgreSQL'
      ? await createPostgresServer({ durable: true, settings, folder: mine })
      : undefined;
  await postgres?.start();
  const environment = createLabEnvironment(postgres?.url ?? `file:${encodeURI(join(mine, 'parley.db'))}`);
  try {
    const note = join(mine, 'loaded.json');
    if (!existsSync(note)) {
      const result = await loadDataset(environment, sizes, onProgress);
      // Otherwise, autovacuum would update the planner statistics only minutes later.
      if (postgres) await vacuum(postgres.url);
      await writeFile(note, JSON.stringify(result));
    }
    const loaded: LoadedDataset = JSON.parse(await readFile(note, 'utf8'));
    const { output } = await environment.start(['server/main.ts', '--empty'], { says: /http:\/\/\S+/ });
    const base = /http:\/\/\S+/.exec(output)?.[0] ?? '';
    return {
      sizes,
      loaded,
      async ask(method, path, body, headers = {}) {
        const startedAt = performance.now();
        const response = await fetch(`${base}/api/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${loaded.token}`,
            ...(body && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const link = response.headers.get('link') ?? '';
        return { status: response.status, ms: performance.now() - startedAt, text, link };
      },
      async close() {
        await environment.close();
        await postgres?.remove();
      },
    };
  } catch (error) {
    await environment.close();
    await postgres?.remove();
    throw error;
  }
}

async function vacuum(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}
