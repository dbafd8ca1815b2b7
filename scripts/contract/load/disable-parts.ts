import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { pointerTokens } from '../../lib/json-pointer.ts';
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
  const taken = (part: string): boolean => reasons.has(part);
  const paths = withoutParts(document.paths, '/paths', taken, (path, method, item) => {
    const reason = reasons.get(`/paths/${escapePointer(path)}/${method}`);
    const operation = item[method];
    const servers = (isObject(operation) ? operation.servers : undefined) ?? item.servers;
    const { message, fix } = reason ?? { message: '', fix: '' };
    disabled.push({
      method,
      path,
      reason: `${message} ${fix}`,
      ...(servers === undefined ? {} : { servers }),
    });
  });
  // The operations of a path without any are not known, so their requests could not be refused.
  for (const part of reasons.keys())
    if (/^\/paths\/[^/]+$/.test(part) && !hasOperations(document, part)) return undefined;
  if (Object.values(paths).every((item) => !Object.keys(item).some(isHttpMethod))) return undefined;
  const readable: OpenApiDocument = {
    ...document,
    ...(document.paths ? { paths } : {}),
    ...(document.webhooks ? { webhooks: withoutParts(document.webhooks, '/webhooks', taken) } : {}),
    ...(document.components ? { components: withoutComponents(document.components, taken) } : {}),
  };
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

/** Copies path items or webhooks without some of their operations. @param onTaken called for each of them */
function withoutParts(
  items: Readonly<Record<string, object>> = {},
  within: string,
  isTaken: (part: string) => boolean,
  onTaken: (path: string, method: DisabledOperation['method'], item: JsonObject) => void = () => {},
): Record<string, object> {
  const kept: Record<string, object> = {};
  for (const [path, given] of Object.entries(items)) {
    const item: JsonObject = { ...given };
    const common = `${within}/${escapePointer(path)}`;
    const methods = Object.keys(item).filter(isHttpMethod);
    const left = methods.filter((method) => !isTaken(`${common}/${method}`));
    for (const method of methods) if (!left.includes(method)) onTaken(path, method, item);
    if (left.length === 0 && (methods.length > 0 || isTaken(common))) continue;
    const entries = Object.entries(item).filter(([name]) => !isHttpMethod(name) || left.includes(name));
    defineOwn(kept, path, Object.fromEntries(entries));
  }
  return kept;
}

const withoutComponents = (
  components: object,
  isTaken: (part: string) => boolean,
): NonNullable<OpenApiDocument['components']> =>
  Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      isObject(named)
        ? Object.fromEntries(
            Object.entries(named).filter(
              ([name]) => !isTaken(`/components/${escapePointer(kind)}/${escapePointer(name)}`),
            ),
          )
        : named,
    ]),
  );

function hasOperations({ paths = {} }: OpenApiDocument, part: string): boolean {
  const [, path = ''] = pointerTokens(part);
  return Object.hasOwn(paths, path) && Object.keys(paths[path] ?? {}).some(isHttpMethod);
}

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
  const [kind, path = '', method] = pointerTokens(part);
  if (method === undefined || kind === 'components') return undefined;
  return kind === 'webhooks' ? `the webhook ${path}` : `${method.toUpperCase()} ${path}`;
}
