import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { folder } from '../../testing/coverage/recording.ts';

/** A request that our validation has refused. */
export interface RefusedRequest {
  operation: string;
  method: string;
  url: string;
  /** The token is replaced. */
  headers: IncomingHttpHeaders;
  body: string;
  /** Our error response. */
  refusal: { status: number; fields: string; message: string };
}

const ending = '.refused';
const ownFile = join(folder, `${randomUUID()}${ending}`);

/** Writes the refused requests of this process, in place of those that it wrote before. */
export function saveRefusals(requests: readonly RefusedRequest[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(ownFile, JSON.stringify(requests));
}

/** Returns the requests that the last tests recorded; undefined if there is no recording. */
export async function readRefusals(): Promise<RefusedRequest[] | undefined> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending));
  if (names.length === 0) return undefined;
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text): RefusedRequest[] => JSON.parse(text));
}
