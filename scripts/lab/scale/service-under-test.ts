import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeCluster } from '../../lib/postgres-server.ts';
import { createSurroundings } from '../environment.ts';
import type { Sizes } from './dataset.ts';
import { type Loaded, load } from './load.ts';

export type EngineName = 'embedded' | 'PostgreSQL';

/** A service that runs on a data set. */
export interface Place {
  sizes: Sizes;
  loaded: Loaded;
  /** Asks the interface. @returns the status, and how long it took in milliseconds */
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
  close(): Promise<void>;
}

export interface Reply {
  status: number;
  ms: number;
  text: string;
}

export interface PlaceOptions {
  engine: EngineName;
  sizes: Sizes;
  /** What lies here already is not loaded again, and stays. */
  folder: string;
  onProgress: (lines: number) => void;
}

// As an operator would set up a machine of its own for this much (a quarter of its memory, says PostgreSQL's manual).
const settings = ['shared_buffers=4GB', 'max_wal_size=8GB', 'effective_cache_size=12GB'];

/** Loads a data set unless it is there, and starts the service on it. */
export async function openPlace({ engine, sizes, folder, onProgress }: PlaceOptions): Promise<Place> {
  const mine = join(folder, `${engine.toLowerCase()} ${sizes.contacts}`);
  await mkdir(mine, { recursive: true });
  const cluster =
    engine === 'PostgreSQL' ? await makeCluster({ durable: true, settings, folder: mine }) : undefined;
  await cluster?.start();
  const around = createSurroundings(cluster?.url ?? `file:${encodeURI(join(mine, 'parley.db'))}`);
  try {
    const note = join(mine, 'loaded.json');
    if (!existsSync(note)) {
      const result = await load(around, sizes, onProgress);
      // What autovacuum does in the minutes after so much has come.
      if (cluster) await vacuum(cluster.url);
      await writeFile(note, JSON.stringify(result));
    }
    const loaded: Loaded = JSON.parse(await readFile(note, 'utf8'));
    const { said } = await around.start(['server/main.ts', '--empty'], { says: /http:\/\/\S+/ });
    const base = /http:\/\/\S+/.exec(said)?.[0] ?? '';
    return {
      sizes,
      loaded,
      async ask(method, path, body, headers = {}) {
        const startedAt = performance.now();
        const answer = await fetch(`${base}/api/v1${path}`, {
          method,
          headers: {
            authorization: `Bearer ${loaded.token}`,
            ...(body && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await answer.text();
        return { status: answer.status, ms: performance.now() - startedAt, text };
      },
      async close() {
        await around.close();
        await cluster?.remove();
      },
    };
  } catch (error) {
    await around.close();
    await cluster?.remove();
    throw error;
  }
}

async function vacuum(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
}
