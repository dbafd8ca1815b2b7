import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '../contract/errors.ts';
import { type ApiErrorResponse, errorResponse } from '../errors.ts';
import { isObject } from '../lib/json-object.ts';
import { type CallerStore, type CallerToken, requireValidToken } from '../security/auth/caller-store.ts';
import { listCompanies } from '../storage/queries/companies.ts';
import { claimIdempotencyKey } from '../storage/queries/idempotency-keys.ts';
import { deleteBatch, deleteRows, findRow, is, updateRows } from '../storage/queries/rows.ts';
import {
  type Database,
  LockTimeout,
  type Store,
  type Transaction,
  type WriteGroup,
} from '../storage/store.ts';

/** Retention period of stored responses. */
export const idempotencyRetentionMs = 72 * 3_600_000;
const defaultWaitMs = 10_000;

/** A create request that may be repeated. */
export interface IdempotentRequest<Response = unknown> {
  caller: CallerToken & { userId: number };
  /** Whether a retry must come from the same token, not only from the same user. */
  isOfToken?: boolean;
  /** The Idempotency-Key; without one, the response is not stored. */
  key: string | undefined;
  operation: string;
  /** The validated body. */
  body: unknown;
  /** Lets creates share a transaction. */
  group?: WriteGroup;
  /** Encrypts and decrypts the headers of a stored response that contains a secret. */
  protect?: { seal: (text: string) => string; open: (text: string) => string };
  /** Returns why a stored response must not be sent again; undefined if it may be sent. */
  whyOutdated?: (db: Database, response: Response) => Promise<string | undefined>;
}

interface Created {
  status: 201;
  headers: Record<string, string>;
  body: unknown;
}

/**
 * Creates a resource and stores the response in the same transaction (D34). A retry with the same key, operation,
 * body and user or token gets the stored response. Any other request with this key is rejected. Error responses are not stored.
 */
export type RunIdempotent = <Response extends Created>(
  request: IdempotentRequest<Response>,
  create: (db: Transaction) => Promise<Response>,
  /** Runs before the transaction, unless a stored response exists. May throw ApiError. */
  prepare?: () => Promise<void>,
) => Promise<Response | ApiErrorResponse<'idempotencyKeyReused'> | ApiErrorResponse<'requestInProgress'>>;

export interface IdempotencyOptions {
  store: CallerStore;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Maximum wait for a concurrent request with the same key, in milliseconds. */
  keyWaitMs?: number | undefined;
}

export function createIdempotency({
  store,
  now,
  keyWaitMs = defaultWaitMs,
}: IdempotencyOptions): RunIdempotent {
  // Keys of requests in flight in this process. If another process uses the key, the database makes the request wait.
  const inFlight = new Map<string, Promise<unknown>>();

  return async function runIdempotent<Response extends Created>(
    request: IdempotentRequest<Response>,
    create: (db: Transaction) => Promise<Response>,
    prepare: () => Promise<void> = async () => {},
  ) {
    const { caller, key, group } = request;
    const write = <T>(work: (db: Transaction) => Promise<T>): Promise<T> =>
      group ? store.writeInGroup(work, caller, group) : store.write(work, caller);
    if (key === undefined) {
      await prepare();
      return write(create);
    }
    const name = JSON.stringify([caller.companyId, key]);
    const before = inFlight.get(name);
    if (before && !(await endsWithin(before, keyWaitMs))) return stillInProgress;

    const work = (async () => {
      const keyed = { ...request, key };
      const known = await store.read(async (db) => {
        const stored = await storedResponse<Response>(db, keyed, now());
        if (stored) await requireValidToken(db, caller, now);
        return stored;
      });
      if (known) return known;
      await prepare();
      return write((db) => createOnceIn(db, keyed, now(), create));
    })();
    const over = work.catch(() => {});
    inFlight.set(name, over);
    try {
      return await work;
    } finally {
      if (inFlight.get(name) === over) inFlight.delete(name);
    }
  };
}

type Keyed<Response> = IdempotentRequest<Response> & { key: string };

async function createOnceIn<Response extends Created>(
  db: Transaction,
  request: Keyed<Response>,
  now: number,
  create: (db: Transaction) => Promise<Response>,
): Promise<Response | ApiErrorResponse<'idempotencyKeyReused'>> {
  const { key, protect = { seal: asItIs } } = request;
  const { companyId } = request.caller;
  const expired = { company_id: companyId, key, created_at: is.lessThan(now - idempotencyRetentionMs) };
  await deleteRows(db, 'idempotency_keys', expired);
  // The key is claimed before anything is created, so that a second process waits here.
  const row = { company_id: companyId, key, request_digest: digestOf(request), created_at: now };
  if (!(await takenInTime(claimIdempotencyKey(db, row)))) {
    const known = await storedResponse<Response>(db, request, now);
    if (known) return known;
    throw new ApiError(stillInProgress);
  }
  const response = await create(db);
  const stored = {
    status: response.status,
    headers: protect.seal(JSON.stringify(response.headers)),
    body: JSON.stringify(response.body),
  };
  await updateRows(db, 'idempotency_keys', { company_id: companyId, key }, stored);
  return response;
}

const stillInProgress = errorResponse('requestInProgress', { fields: 'header/Idempotency-Key' });

/** @throws ApiError if another process holds the key for longer than the maximum wait */
async function takenInTime(taking: Promise<boolean>): Promise<boolean> {
  try {
    return await taking;
  } catch (error) {
    throw error instanceof LockTimeout ? new ApiError(stillInProgress) : error;
  }
}

/**
 * Returns the stored response of a key, or an error response if the key was used for another request, or undefined
 * for a new key.
 */
async function storedResponse<Response extends Created>(
  db: Database,
  request: Keyed<Response>,
  now: number,
): Promise<Response | ApiErrorResponse<'idempotencyKeyReused'> | undefined> {
  const { caller, key, protect = { open: asItIs }, whyOutdated } = request;
  const known = await findRow(db, 'idempotency_keys', { company_id: caller.companyId, key });
  if (!known || known.created_at < now - idempotencyRetentionMs) return undefined;
  if (!digestOf(request).equals(known.request_digest))
    return errorResponse('idempotencyKeyReused', { fields: 'header/Idempotency-Key' });
  // The digest includes the operation, so the stored response has the type of this operation.
  const response = {
    status: known.status,
    headers: JSON.parse(protect.open(known.headers)),
    body: JSON.parse(known.body),
  } as Response;
  const message = await whyOutdated?.(db, response);
  return message === undefined
    ? response
    : errorResponse('idempotencyKeyReused', { message, fields: 'header/Idempotency-Key' });
}

function digestOf({
  operation,
  body,
  caller,
  isOfToken = false,
}: Omit<IdempotentRequest<never>, 'key'>): Buffer {
  const owner = isOfToken ? `token ${caller.tokenId}` : `user ${caller.userId}`;
  return createHash('sha256')
    .update(JSON.stringify([operation, body, owner], sortProperties))
    .digest();
}

// A batch takes a few milliseconds, so it hardly delays other work.
const purgeBatchSize = 500;

/** Purges expired keys of all companies, in batches. */
export async function purgeIdempotencyKeys(store: Store, now: number): Promise<void> {
  const created_at = is.lessThan(now - idempotencyRetentionMs);
  for (const { id: company_id } of await store.read(listCompanies)) {
    const purge = (db: Database) =>
      deleteBatch(db, 'idempotency_keys', { company_id, created_at }, purgeBatchSize);
    while ((await store.write(purge)) === purgeBatchSize);
  }
}

const asItIs = (text: string): string => text;

/** Sorts the properties of objects, so that their order does not change the digest. */
const sortProperties = (_name: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Whether some work ends within a time. The timer does not keep the process alive. */
const endsWithin = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([work.then(() => true), wait(ms, false, { ref: false })]);
