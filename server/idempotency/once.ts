import { createHash } from 'node:crypto';
import { type Refusal, refusal } from '../errors.ts';
import {
  dropIdempotencyKeysBefore,
  findIdempotencyKey,
  insertIdempotencyKey,
} from '../storage/idempotency-keys.ts';
import type { Database, Store } from '../storage/store.ts';

const keptMs = 72 * 3_600_000;

/** A creation that may come a second time. */
export interface Repeatable {
  companyId: number;
  /** The Idempotency-Key; without one nothing is remembered. */
  key: string | undefined;
  operation: string;
  /** As it was checked. */
  body: unknown;
}

interface Created {
  status: 201;
  headers: Record<string, string>;
  body: unknown;
}

/** Two bodies are the same whatever the order of their properties. */
const inOrder = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/**
 * Runs a creation in a transaction, and remembers its answer there (D34): the same key and body get
 * that answer again, another body is refused. What the creation refuses is not remembered.
 */
export function once<Answer extends Created>(
  store: Store,
  now: number,
  { companyId, key, operation, body }: Repeatable,
  create: (db: Database) => Promise<Answer>,
): Promise<Answer | Refusal<'keyReused'>> {
  if (key === undefined) return store.write(create);
  const digest = createHash('sha256')
    .update(JSON.stringify([operation, body], inOrder))
    .digest();
  return store.write(async (db) => {
    await dropIdempotencyKeysBefore(db, companyId, now - keptMs);
    const known = await findIdempotencyKey(db, companyId, key);
    if (known && !digest.equals(known.request_digest))
      return refusal('keyReused', { fields: 'header/Idempotency-Key' });
    // It was this very operation's answer: its digest names the operation.
    if (known)
      return {
        status: known.status,
        headers: JSON.parse(known.headers),
        body: JSON.parse(known.body),
      } as Answer;
    const answer = await create(db);
    await insertIdempotencyKey(db, {
      company_id: companyId,
      key,
      request_digest: digest,
      status: answer.status,
      headers: JSON.stringify(answer.headers),
      body: JSON.stringify(answer.body),
      created_at: now,
    });
    return answer;
  });
}
