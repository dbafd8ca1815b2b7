import type { Contents } from './contents.ts';
import type { Escape, Owner, Place, SentObject, UsesManifest } from './manifest.ts';

/** Collects uses, and merges those of the same part. */
export interface UsesRecorder {
  call: (operation: string, open: boolean, at: Place) => void;
  read: (part: Owner & { property: string; refersTo: string[] }, at: Place) => void;
  send: (owner: Owner, object: SentObject, at: Place) => void;
  parameter: (part: { operation: string; in: string; name: string }, at: Place) => void;
  header: (name: string, at: Place) => void;
  status: (status: number, at: Place) => void;
  code: (code: string, at: Place) => void;
  event: (type: string, at: Place) => void;
  validatesEvents: (at: Place) => void;
  escape: (contents: Pick<Contents, 'schemas' | 'operations'>, reason: string, at: Place) => void;
  manifest: (about: Pick<UsesManifest, 'consumer' | 'createdAt' | 'contract'>) => UsesManifest;
}

export function createUsesRecorder(): UsesRecorder {
  const operations = createIndex<UsesManifest['operations'][number]>();
  const reads = createIndex<UsesManifest['reads'][number]>();
  const sends = createIndex<UsesManifest['sends'][number]>();
  const parameters = createIndex<UsesManifest['parameters'][number]>();
  const headers = createIndex<UsesManifest['headers'][number]>();
  const statuses = createIndex<UsesManifest['statuses'][number]>();
  const codes = createIndex<UsesManifest['codes'][number]>();
  const events = createIndex<UsesManifest['events'][number]>();
  const validating = new Set<Place>();
  const escapes = new Map<string, Escape>();
  return {
    call: (operation, open, at) => operations.add({ operation, open }, at),
    read: ({ schema, operation, property, refersTo }, at) =>
      reads.add({ schema, operation, property, refersTo }, at),
    send: ({ schema, operation }, { properties, always, open }, at) =>
      sends.add(
        { schema, operation, properties: properties.toSorted(), always: always.toSorted(), open },
        at,
      ),
    parameter: ({ operation, in: place, name }, at) => parameters.add({ operation, in: place, name }, at),
    header: (name, at) => headers.add({ name: name.toLowerCase() }, at),
    status: (status, at) => statuses.add({ status }, at),
    code: (code, at) => codes.add({ code }, at),
    event: (type, at) => events.add({ type }, at),
    validatesEvents: (at) => void validating.add(at),
    escape(contents, reason, at) {
      const [schemas, operations] = [[...contents.schemas].sort(), [...contents.operations].sort()];
      if (schemas.length + operations.length > 0)
        escapes.set(JSON.stringify([schemas, operations, at]), { schemas, operations, reason, at });
    },
    manifest: (about) => ({
      manifest: 1,
      ...about,
      operations: operations.entries(),
      reads: reads.entries(),
      sends: sends.entries(),
      parameters: parameters.entries(),
      headers: headers.entries(),
      statuses: statuses.entries(),
      codes: codes.entries(),
      events: events.entries(),
      validatesEvents: [...validating].sort(comparePlaces),
      escapes: [...escapes.values()].sort((one, other) => comparePlaces(one.at, other.at)),
    }),
  };
}

/** Entries with all their places, sorted by content, so that equal sources give equal manifests. */
function createIndex<Entry extends { at: Place[] }>() {
  const places = new Map<string, { entry: Omit<Entry, 'at'>; at: Set<Place> }>();
  return {
    add(entry: Omit<Entry, 'at'>, at: Place): void {
      const key = JSON.stringify(entry);
      const known = places.get(key) ?? { entry, at: new Set() };
      known.at.add(at);
      places.set(key, known);
    },
    entries: (): Entry[] =>
      [...places]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, { entry, at }]) => ({ ...entry, at: [...at].sort(comparePlaces) }) as Entry),
  };
}

const comparePlaces = (one: Place, other: Place): number => one.localeCompare(other, 'en', { numeric: true });
