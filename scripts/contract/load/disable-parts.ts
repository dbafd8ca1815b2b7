import { entriesOf, isObject, type JsonObject, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer, unescapePointer } from '../../../server/lib/json-text.ts';
import { isHttpMethod, type OpenApiDocument } from '../../lib/openapi-document.ts';
import { type DisabledOperation, disabledExtension } from '../model/disabled-operations.ts';
import type { Diagnosis, Note } from './diagnosis.ts';
import { partAround, usesOfParts } from './parts-of-document.ts';

export interface ReadableDocument {
  /** The document without the parts that have mistakes, and without those that use them. */
  document: OpenApiDocument;
  /** The parts that were taken out. */
  notes: Note[];
}

/**
 * Takes the parts with mistakes out of a document: operations, webhooks and components, and those that use them. The
 * document lists the operations, so that the middleware refuses their requests. The tools do not see them.
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 * @param found the mistakes
 * @returns undefined if a mistake concerns the whole document, or no operation is left
 */
export function disableParts(
  document: OpenApiDocument,
  found: readonly Diagnosis[],
): ReadableDocument | undefined {
  if (found.length === 0) return { document, notes: [] };
  const uses = usesOfParts(document);
  const reasons = new Map<string, Diagnosis>();
  for (const diagnosis of found) {
    const part = partAround(diagnosis.pointer);
    if (part === undefined) return undefined;
    if (!reasons.has(part)) reasons.set(part, diagnosis);
  }
  const direct = new Set(reasons.keys());
  spread(uses, reasons);
  const disabled: DisabledOperation[] = [];
  for (const [path, item] of entriesOf(document.paths)) {
    const pointer = `/paths/${escapePointer(path)}`;
    // The operations of a path without any are not known, so their requests could not be refused.
    if (reasons.has(pointer) && !hasOperations(item)) return undefined;
    disabled.push(
      ...disabledOperations(path, objectOf(item), (method) => reasons.get(`${pointer}/${method}`)),
    );
  }
  const readable = withoutParts(document, reasons);
  if (!Object.values(readable.paths ?? {}).some(hasOperations)) return undefined;
  return {
    document: Object.assign(readable, { [disabledExtension]: disabled }),
    notes: notesAbout(reasons, direct),
  };
}

/** Adds the parts that use a part with a mistake, and those that use them. */
function spread(uses: ReadonlyMap<string, ReadonlySet<string>>, reasons: Map<string, Diagnosis>): void {
  const pairs = [...uses].flatMap(([user, used]) => [...used].map((part) => ({ user, part })));
  const usersOf = Map.groupBy(pairs, ({ part }) => part);
  for (const [part, reason] of reasons)
    for (const { user } of usersOf.get(part) ?? []) if (!reasons.has(user)) reasons.set(user, reason);
}

/** Returns the operations of a path that have a reason, as the middleware refuses them. */
const disabledOperations = (
  path: string,
  item: JsonObject,
  reasonOf: (method: string) => Diagnosis | undefined,
): DisabledOperation[] =>
  Object.keys(item)
    .filter(isHttpMethod)
    .flatMap((method) => {
      const { message, fix } = reasonOf(method) ?? {};
      const servers = objectOf(item[method]).servers ?? item.servers;
      const own = { method, path, reason: `${message} ${fix}` };
      return message === undefined ? [] : [{ ...own, ...(servers === undefined ? {} : { servers }) }];
    });

/** Copies a document without some parts, and without paths and webhooks that have lost all operations. */
function withoutParts(document: OpenApiDocument, parts: ReadonlyMap<string, unknown>): OpenApiDocument {
  /** @param depth number of levels that may have parts */
  const copy = (node: unknown, pointer: string, depth: number): unknown => {
    if (!isObject(node) || depth === 0) return node;
    const kept = Object.entries(node).flatMap(([name, each]) => {
      const at = `${pointer}/${escapePointer(name)}`;
      const left = parts.has(at) ? undefined : copy(each, at, depth - 1);
      const isEmpty = !pointer.startsWith('/components') && hasOperations(each) && !hasOperations(left);
      return left === undefined || isEmpty ? [] : [[name, left] as const];
    });
    return Object.fromEntries(kept);
  };
  const kinds = (['paths', 'webhooks', 'components'] as const).filter((kind) => document[kind]);
  return {
    ...document,
    ...Object.fromEntries(kinds.map((kind) => [kind, copy(document[kind], `/${kind}`, 2)])),
  };
}

const hasOperations = (item: unknown): boolean => Object.keys(objectOf(item)).some(isHttpMethod);

/** Maximum number of parts that a note names. */
const maxNamed = 4;

/** Returns a note about each mistake, which names the operations that are disabled because of it. */
function notesAbout(reasons: ReadonlyMap<string, Diagnosis>, direct: ReadonlySet<string>): Note[] {
  const parts = [...reasons].map(([part, reason]) => ({ part, reason }));
  return [...Map.groupBy(parts, ({ reason }) => reason)].map(([{ pointer, message, fix }, all]) => {
    const names = all.map(({ part }) => nameOf(part)).filter((name) => name !== undefined);
    const only = all.every(({ part }) => direct.has(part) && nameOf(part) === undefined);
    const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
    const named = `${names.slice(0, maxNamed).join(', ')}${more}`;
    const effect =
      only || names.length === 0
        ? 'The tools leave it out. No operation uses it.'
        : `Disabled because of it: ${named}. The tools leave these operations out, and the middleware refuses their requests.`;
    return { pointer, sentence: `${message} ${effect}`, fix };
  });
}

/** Returns the name of an operation or a webhook; undefined for other parts. */
function nameOf(part: string): string | undefined {
  const [kind, path = '', method] = part.split('/').slice(1).map(unescapePointer);
  if (method === undefined || kind === 'components') return undefined;
  return kind === 'webhooks' ? `the webhook ${path}` : `${method.toUpperCase()} ${path}`;
}
