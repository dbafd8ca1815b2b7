import type { Store } from '../../../../server/storage/store.ts';
import type { ApiClient } from '../../../support/api-client.ts';
import type { TestDatabase } from '../../../support/databases.ts';
import { type Company, createCompany, startService } from '../../../support/service.ts';
import {
  createFixtures,
  type Fixtures,
  type ResourceName,
  resourceNames,
} from '../../own-contract/valid-requests.ts';

/** The initial time of both clocks. */
export const clockStart = Date.UTC(2026, 0, 1);

/** One of two services that get the same requests. */
export interface EngineTarget {
  api: ApiClient;
  store: Store;
  company: Company;
  now: () => number;
  /** The IDs of the objects created in this service, in order of creation. */
  ids: Record<ResourceName, number[]>;
  /** The IDs of objects of another company. */
  foreign: Fixtures;
  /** ETags by path, and whether the first one is kept. */
  etags: Map<string, { etag: string; keeps: boolean }>;
}

/** Starts a service on a database, with a given clock. */
export async function startEngineTarget(database: TestDatabase, now: () => number): Promise<EngineTarget> {
  // A long step blocks client and server. Connections that the server closed meanwhile would fail the next request.
  const http = { keepAliveMs: 60_000 };
  const { api, store, company, base } = await startService({ database, now, http });
  const other = await createCompany(store, base, now);
  const foreign = await createFixtures(other, 'Lindqvist');
  const ids = Object.fromEntries(resourceNames.map((name) => [name, []])) as unknown as EngineTarget['ids'];
  return { api, store, company, now, ids, foreign, etags: new Map() };
}
