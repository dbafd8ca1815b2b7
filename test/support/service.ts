import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { type AppOptions, createApp } from '../../server/app.ts';
import { openConversation } from '../../server/features/conversations/open.ts';
import { addField, type NewField } from '../../server/features/fields/definitions.ts';
import { addMessage, type NewMessage } from '../../server/features/messages/add.ts';
import { createHttpServer, type HttpServerOptions } from '../../server/http/server.ts';
import { errorMessage } from '../../server/lib/error-message.ts';
import type { FairQueue } from '../../server/lib/fair-queue.ts';
import { contactDefaults } from '../../server/own-contract/contact-properties.ts';
import { scopes as allScopes } from '../../server/own-contract/scopes.ts';
import { parseDatabaseUrl } from '../../server/runtime/config/database-url.ts';
import { openStore } from '../../server/runtime/open-store.ts';
import { issueToken } from '../../server/security/auth/issue-token.ts';
import { createRateLimiter, type RateLimitPolicy } from '../../server/security/auth/rate-limiter.ts';
import { publicHttpsOnly } from '../../server/security/egress/policy.ts';
import { createSecrets } from '../../server/security/secrets/encryption.ts';
import { stateNameOf } from '../../server/storage/delivery-states.ts';
import { insertCompany } from '../../server/storage/queries/companies.ts';
import type { ConversationRow } from '../../server/storage/queries/conversations.ts';
import { listDeliveries } from '../../server/storage/queries/deliveries.ts';
import type { Store } from '../../server/storage/store.ts';
import { createApiClient } from './api-client.ts';
import { assertStateChanges } from './assert-state-changes.ts';
import { type Cli, createCli } from './cli.ts';
import { createTestDatabase, freshFile, onPostgres, type TestDatabase } from './databases.ts';
import { checkStatements } from './explain-statements.ts';
import { recordingStore, type Statements } from './record-statements.ts';
import { observeService, recordRefusal, rememberBodies } from './recordings.ts';
import { startListening } from './start-listening.ts';
import type { OnCleanup } from './temporary-folder.ts';

export interface ServiceOptions extends Partial<Omit<AppOptions, 'store' | 'limits' | 'secrets'>> {
  tokenLimit?: RateLimitPolicy;
  failureLimit?: RateLimitPolicy;
  http?: HttpServerOptions;
  /** Default: a new database. */
  database?: TestDatabase;
  /** Encrypts secrets. Default: a new key. */
  secretKey?: Buffer;
  /** Lock timeout of writes, in milliseconds. */
  lockWaitMs?: number;
  /** Settings of the detection of a failover of PostgreSQL. Default: none is detected. */
  watch?: object;
  /** Wraps the store that the service uses. */
  storeFor?: (store: Store) => Store;
  /** Registers cleanup functions. Default: they run at the end of the test. */
  onCleanup?: OnCleanup;
}

const noLimit: RateLimitPolicy = { name: 'none', perMinute: 0, burst: 1 };

export type ReportedErrors = Parameters<AppOptions['onError']>[0][];

/** Opens a database as the service does. By default it detects no failover, which takes another connection. */
export async function openAt(
  url: string,
  options: Pick<ServiceOptions, 'lockWaitMs' | 'watch'> = {},
): Promise<Store> {
  const address = parseDatabaseUrl(url);
  if (!address) throw new Error(`${url} is no address of a database.`);
  return openStore(address, { mayCreate: true, ...options });
}

/** A queue in which no task waits. */
const openQueue: FairQueue = {
  enter(_key, start) {
    start(() => {});
    return () => {};
  },
  waiting: () => 0,
};

/** An embedded database with the schema. Each service copies it, because migrations would take half of its start. */
let migrated: Promise<Buffer> | undefined;

async function readMigrated(onCleanup: OnCleanup): Promise<Buffer> {
  const { file, url } = await freshFile('', onCleanup);
  await (await openAt(url)).close();
  return readFile(file);
}

/** Starts the whole service on its own database, with a company and a token with all scopes. */
export async function startService(options: ServiceOptions = {}) {
  const {
    onCleanup = onTestFinished,
    secretKey = randomBytes(32),
    addressPolicy = publicHttpsOnly,
  } = options;
  const database = options.database ?? (await createTestDatabase({ onCleanup }));
  if (!options.database && !onPostgres) {
    migrated ??= readMigrated(onCleanup);
    await writeFile(database.file, await migrated, { mode: 0o600 });
  }
  const { lockWaitMs, watch } = options;
  const store = await openAt(database.url, { ...(lockWaitMs && { lockWaitMs }), ...(watch && { watch }) });
  onCleanup(() => store.close());
  // The template of the databases on PostgreSQL has it already.
  if (!onPostgres) await store.write((db) => sql.raw(assertStateChanges.sqlite).execute(db));
  const statements: Statements = new Map();
  const serviceStore = recordingStore(store, statements);
  onCleanup(() => checkStatements(database.url, statements));
  const errors: ReportedErrors = [];
  const records: Parameters<AppOptions['onResponse']>[0][] = [];
  const now = options.now ?? Date.now;
  const { tokenLimit = noLimit, failureLimit = noLimit } = options;
  const limits = {
    tokens: createRateLimiter(tokenLimit, now),
    failures: createRateLimiter(failureLimit, now),
  };
  const secrets = createSecrets(secretKey);
  const app = await createApp({
    document,
    now,
    limits,
    allowedOrigins: [],
    isReady: () => true,
    secrets,
    addressPolicy,
    resolve: async () => [],
    // By default, no request waits or is refused: tests share the machine, and some send many requests at once.
    requestQueue: openQueue,
    onResponse: (record) => records.push(record),
    onError(fault) {
      errors.push(fault);
      // Shown only if the test fails: the response does not say what is wrong.
      process.stderr.write(`${fault.operation}: ${errorMessage(fault.error)}\n`);
    },
    observe(exchange, response) {
      observeService(exchange, response);
      recordRefusal(exchange, response);
    },
    ...options,
    store: options.storeFor?.(serviceStore) ?? serviceStore,
  });
  const base = await startListening(rememberBodies(createHttpServer(app, options.http)), onCleanup);
  const parley = createCli(database.url, {
    PARLEY_SECRET_KEY: secretKey.toString('base64'),
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: addressPolicy.allowedNetworks.join(','),
  });
  const addCompany = () => createCompany({ store, base, parley, now });
  const company = await addCompany();
  return {
    ...{ base, store, serviceStore, database, limits, errors, records, now, secretKey, secrets },
    ...{ parley, addCompany, company, api: company.api },
  };
}

export type Company = Awaited<ReturnType<typeof createCompany>>;

interface CompanyOptions {
  store: Store;
  base: string;
  parley: Cli;
  now?: () => number;
}

/** Creates a company, and functions that create its objects. */
export async function createCompany({ store, base, parley, now = Date.now }: CompanyOptions) {
  const id = await store.write((db) => insertCompany(db, { name: 'A company', created_at: now() }));
  const token = async (scopes: readonly string[] = allScopes, days = 90, userId = 17) => {
    const issued = await store.write((db) =>
      issueToken(db, { companyId: id, userId, name: '', scopes, days }, now()),
    );
    return { ...issued, api: createApiClient(base, issued.token) };
  };
  const { api } = await token();
  return {
    id,
    api,
    token,
    /** Runs a command for the company that must succeed. @returns its JSON */
    run: (line: string, ...more: (string | number)[]) => parley.json(line, '--company', id, ...more),
    /** Imports lines, which must be valid. */
    async import(lines: readonly object[]): Promise<void> {
      const text = lines.map((line) => JSON.stringify(line)).join('\n');
      const { code, err } = await parley.reading(text, 'import - --company', id);
      if (code !== 0) throw new Error(err);
    },
    field: (field: Partial<NewField> = {}) =>
      store.write((db) =>
        addField(
          db,
          id,
          { name: 'A field', type: 'short_text', icon: 'tag', order: undefined, isUnique: false, ...field },
          now(),
        ),
      ),
    /** Creates a contact through the API. @returns its ID */
    contact: async (body: object = { first_name: 'Ada' }): Promise<number> => {
      const created = await api.createContact(body);
      if (created.status !== 201) throw new Error(`The contact was not made: ${created.text}`);
      return created.body.id;
    },
    conversation: (given: Partial<ConversationRow> & { caller_id: number }): Promise<ConversationRow> =>
      store.write((db) => openConversation(db, id, { service: 'webchat', ...given }, now())),
    /** Adds a message. It is from the contact, unless a user is given. */
    message: (conversation: ConversationRow, given: Partial<NewMessage> = {}) =>
      store.write((db) =>
        addMessage(db, conversation, { user_id: null, type: 'text', payload: 'Hello', ...given }, now()),
      ),
    /** Creates a webhook through the API. @returns its ID */
    webhook: async (given: object): Promise<number> => {
      const created = await api.createWebhook({ verb_id: 3, url: 'https://hooks.example.com/a', ...given });
      if (created.status !== 201) throw new Error(`The webhook was not made: ${created.text}`);
      return created.body;
    },
    /** Returns the deliveries of a webhook with their events, in order of sequence. */
    events: async (webhook: number) => {
      const selection = { companyId: id, webhookId: webhook };
      const { rows, payloads } = await store.readSnapshot(async (db) => ({
        rows: await listDeliveries(db, selection),
        payloads: await db
          .selectFrom('delivery_payloads')
          .select('payload')
          .where('company_id', '=', id)
          .where('webhook_id', '=', webhook)
          .orderBy('sequence')
          .execute(),
      }));
      return rows.map((row, at) => ({
        ...{ ...row, state: stateNameOf(row.state) },
        event: JSON.parse(payloads[at]?.payload ?? ''),
      }));
    },
  };
}

/** The body of an update that clears every property. */
export const emptyContact = { ...contactDefaults, avatar: null, status: 'online' } as const;
