import ts from 'typescript';
import { type Contents, isEmpty } from './contents.ts';
import type { ContractPart } from './contract-types.ts';
import {
  comparePlaces,
  type Escape,
  type Owner,
  type Place,
  type SentObject,
  type UsesManifest,
} from './manifest.ts';

export type UsesRecorder = ReturnType<typeof createUsesRecorder>;

/** Creates a recorder, which collects uses, and merges those of the same part. */
export function createUsesRecorder() {
  const operations = createIndex<UsesManifest['operations'][number]>();
  const reads = createIndex<UsesManifest['reads'][number]>();
  const sends = createIndex<UsesManifest['sends'][number]>();
  const parameters = createIndex<UsesManifest['parameters'][number]>();
  const headers = createIndex<UsesManifest['headers'][number]>();
  const codes = createIndex<UsesManifest['codes'][number]>();
  const events = createIndex<UsesManifest['events'][number]>();
  const validating = new Set<Place>();
  const escapes = new Map<string, Escape>();
  return {
    call: (operation: string, open: boolean, at: Place) => operations.add({ operation, open }, at),
    read: (
      { schema, operation, property, refersTo }: Owner & { property: string; refersTo: string[] },
      at: Place,
    ) => reads.add({ schema, operation, property, refersTo }, at),
    /** Records the use of a whole schema, such as an enumeration. */
    readWhole: (schema: string, refersTo: string[], at: Place) =>
      reads.add({ schema, operation: undefined, property: '*', refersTo }, at),
    send: ({ schema, operation }: Owner, { properties, always, open }: SentObject, at: Place) =>
      sends.add(
        { schema, operation, properties: properties.toSorted(), always: always.toSorted(), open },
        at,
      ),
    /** Records an object of which only the schema or operation is known. */
    sendAny: (owner: Partial<Owner>, at: Place) =>
      sends.add(
        { schema: undefined, operation: undefined, ...owner, properties: [], always: [], open: true },
        at,
      ),
    parameter: ({ operation, in: place, name }: { operation: string; in: string; name: string }, at: Place) =>
      parameters.add({ operation, in: place, name }, at),
    header: (name: string, at: Place) => headers.add({ name: name.toLowerCase() }, at),
    code: (code: string, at: Place) => codes.add({ code }, at),
    event: (type: string, at: Place) => events.add({ type }, at),
    validatesEvents: (at: Place) => void validating.add(at),
    escape(contents: Pick<Contents, 'schemas' | 'operations'>, reason: string, at: Place) {
      const [schemas, operations] = [[...contents.schemas].sort(), [...contents.operations].sort()];
      if (schemas.length + operations.length > 0)
        escapes.set(JSON.stringify([schemas, operations, at]), { schemas, operations, reason, at });
    },
    manifest: (about: Pick<UsesManifest, 'consumer' | 'contract'>): UsesManifest => ({
      manifest: 1,
      ...about,
      operations: operations.entries(),
      reads: reads.entries(),
      sends: sends.entries(),
      parameters: parameters.entries(),
      headers: headers.entries(),
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

export type Leaks = ReturnType<typeof createLeaks>;

/** Records where values leave the analysis, also through generic functions of the consumer. */
export function createLeaks(recorder: UsesRecorder) {
  const leaking = new Map<ts.Symbol, string>();
  const passed: { contents: Contents; parameter: ts.Symbol; at: Place }[] = [];
  const addEscape = (contents: Contents, reason: string, at: Place): void => {
    if (isEmpty(contents)) return;
    recorder.escape(contents, reason, at);
    for (const parameter of contents.parameters)
      if (!leaking.has(parameter)) leaking.set(parameter, `${reason} (${at})`);
  };
  return {
    escape: addEscape,
    /** A value is passed for a type parameter, and escapes if values of the parameter escape anywhere. */
    pass(contents: Contents, parameter: ts.Symbol, at: Place): void {
      if (!isEmpty(contents)) passed.push({ contents, parameter, at });
    },
    /** Records the escapes of values that were passed for type parameters. Call it after all sources were read. */
    close(): void {
      // A value passed to a leaking parameter can contain another type parameter, which then leaks too.
      for (let count = -1; count !== leaking.size; ) {
        count = leaking.size;
        for (const { contents, parameter, at } of passed) {
          const reason = leaking.get(parameter);
          if (reason !== undefined) addEscape(contents, reason, at);
        }
      }
    },
  };
}

/**
 * Collects the properties of one sent value by the schemas that declare them.
 * @param open whether the value may have properties that its type does not name
 */
export function createSentObjects(recorder: UsesRecorder, open: boolean, at: Place) {
  const objects = new Map<string, { owner: Owner; properties: Set<string>; always: Set<string> }>();
  return {
    /** Adds a part that the value can have. @param given the property of the value; undefined if it has none */
    add(part: ContractPart, given: ts.Symbol | undefined): void {
      if (part.kind === 'parameter') {
        if (given || open) recorder.parameter(part, at);
        return;
      }
      const owner = { schema: part.schema, operation: part.operation };
      const key = JSON.stringify(owner);
      const object = objects.get(key) ?? { owner, properties: new Set(), always: new Set() };
      if (given) object.properties.add(part.property);
      if (given && !(given.flags & ts.SymbolFlags.Optional)) object.always.add(part.property);
      objects.set(key, object);
    },
    record(): void {
      for (const { owner, properties, always } of objects.values())
        recorder.send(owner, { properties: [...properties], always: [...always], open }, at);
    },
  };
}
