import type { Store } from '../../../../server/storage/store.ts';
import type { TestDatabase } from '../../../support/databases.ts';
import type { ApiClient } from '../../../support/http.ts';
import { createCompany, startService } from '../../../support/service.ts';
import {
  createFixtures,
  type EntityType,
  entityTypes,
  type Fixtures,
} from '../../own-contract/valid-requests.ts';

/** The initial time of both clocks. */
export const clockStart = Date.UTC(2026, 0, 1);

/** One of two services that get the same requests. */
export interface EngineTarget {
  api: ApiClient;
  store: Store;
  company: Awaited<ReturnType<typeof createCompany>>;
  now: () => number;
  /** The IDs of the objects created in this service, in order of creation. */
  ids: Record<EntityType, number[]>;
  /** The IDs of objects of another company. */
  foreign: Fixtures;
  etags: Map<number, string>;
}

/** Starts a service on a database, with a given clock. */
export async function startEngineTarget(database: TestDatabase, now: () => number): Promise<EngineTarget> {
  const { api, store, company, base } = await startService({ database, now });
  const other = await createCompany(store, base, now);
  const foreign = await createFixtures(other, 'Lindqvist');
  const ids = Object.fromEntries(entityTypes.map((type) => [type, []])) as unknown as EngineTarget['ids'];
  return { api, store, company, now, ids, foreign, etags: new Map() };
}

/**
 * Returns the kind of object whose ID is at a path in a response. If the path alone is ambiguous, the name of the call
 * decides.
 */
function kindAt(what: string, path: readonly string[]): EntityType | undefined {
  const location = path.filter((part) => !/^\d+$/.test(part)).join('/');
  if (/(^|\/)messages\/id$/.test(location)) return 'message';
  if (/conversation_id$/.test(location)) return 'conversation';
  if (/caller_id$/.test(location)) return 'contact';
  if (/fields\/id$/.test(location)) return 'field';
  if (location === 'body' && /Webhook/.test(what)) return 'webhook';
  if (!/(^|body|data)\/?id$/.test(location)) return undefined;
  if (/essage|receive/.test(what)) return 'message';
  if (/field/i.test(what)) return 'field';
  if (/onversation/.test(what)) return 'conversation';
  if (/ontact|search/.test(what)) return 'contact';
  if (/Webhook/.test(what)) return 'webhook';
  throw new Error(`Name the kind of object whose ID is at ${location} of ${what}.`);
}

/** Replaces the database IDs in a response with names that are the same for both services. */
export function withNames(side: EngineTarget, what: string, response: unknown): unknown {
  const known = new Map(
    entityTypes.flatMap((kind) =>
      side.ids[kind].map((id, index): [string, string] => [`${kind} ${id}`, `${kind} #${index}`]),
    ),
  );
  const nameOf = (kind: EntityType, id: number): string => known.get(`${kind} ${id}`) ?? `${kind} ?`;
  const visit = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => visit(item, [...path, String(index)]));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, visit(item, [...path, name])]),
      );
    const kind = kindAt(what, path);
    if (typeof value === 'number' && kind) return nameOf(kind, value);
    // Error messages and these headers contain IDs as text.
    const last = path.at(-1);
    if (
      typeof value === 'string' &&
      (last === 'message' || last === 'location' || last === 'x-truncated-conversations')
    )
      return value.replace(/\d+/g, '#');
    if (typeof value === 'string' && last === 'link')
      return value.replace(/after=(\d+)/, (_all, id: string) =>
        nameOf(value.includes('/conversations?') ? 'conversation' : 'contact', Number(id)),
      );
    // The length of a body depends on the IDs in it, which may differ.
    return last === 'content-length' ? undefined : value;
  };
  return visit(response, []);
}
