import { isObject } from '../../../server/lib/json-object.ts';
import { once, oncePer } from '../../lib/once.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { concrete, operationsOf } from '../../testing/requests/operations.ts';
import { isSerializable } from '../../testing/requests/parameters.ts';
import { isForm, isSerializableBody, isWritable } from '../../testing/requests/parts.ts';
import type { GeneratedRequest } from '../../testing/requests/serialize.ts';
import { type Contract, createContract } from '../model/contract.ts';
import { createRequestJudge, type JudgedRequest, type Verdict } from './judge-requests.ts';
import { plainMediaType } from './normalize-document.ts';
import type { SchemaLocation } from './schema-locations.ts';
import { contextOf } from './schema-side.ts';
import { leastRequest, requestsOf, type SentOperation, serialized, withParameter } from './sent-requests.ts';
import { WorkBudget } from './work-budget.ts';

/** A request that the base accepts, with the verdicts of both versions. */
export interface TriedRequest extends JudgedRequest {
  base: Verdict & { isAccepted: true };
  revision: Verdict;
  /** The parts that the revision rejects, or does not read as the base does; empty if it reads all of them. */
  lost: readonly string[];
}

/** Sends requests of the base to both versions of a contract. */
export interface RequestTrials {
  /** The names of the operations of the base: `GET /books/{}`. */
  operations: ReadonlyMap<string, SentOperation>;
  /** Returns requests that use each part of an operation. */
  tryOperation(name: string): Promise<readonly TriedRequest[]>;
  /** Returns the shortest request of an operation, with each alternative of its credentials. */
  tryLeast(name: string): Promise<readonly TriedRequest[]>;
  /** Whether a value can be sent at a location of requests. */
  canSend(location: SchemaLocation, value: unknown): boolean;
  /** Whether both versions reach a verdict on requests with values at a location. */
  canTry(location: SchemaLocation): Promise<boolean>;
  /**
   * Returns the request with a value at a location; undefined if the value cannot be sent there, or the base rejects it.
   * A list with one item, which is sent like the item alone, is also tried with two.
   */
  tryValue(location: SchemaLocation, value: unknown): Promise<TriedRequest | 'untried' | undefined>;
}

/**
 * @param before the base, a bundled OpenAPI 3.1 document
 * @param after the revision
 */
export function createRequestTrials(before: OpenApiDocument, after: OpenApiDocument): RequestTrials {
  const judges = { base: createRequestJudge(before), revision: createRequestJudge(after) };
  const operations = sentOperations(before);
  const least = oncePer(leastRequest);
  const tryAll = async (requests: readonly JudgedRequest[]): Promise<TriedRequest[]> => {
    const tried: TriedRequest[] = [];
    for (const request of requests) {
      const base = await judges.base(request);
      if (!base?.isAccepted) continue;
      const revision = await judges.revision(request);
      if (revision) tried.push({ ...request, base, revision, lost: lostParts(base, revision) });
    }
    return tried;
  };
  const tryOperation = oncePer(async (name: string): Promise<readonly TriedRequest[]> => {
    const sent = operations.get(name);
    const shortest = sent && least(sent);
    if (!sent || !shortest) return [];
    const [first, ...more] = [...sent.budget.limited(requestsOf(sent, shortest))];
    // Each alternative of the credentials is tried once.
    return tryAll([
      ...(first ? serialized(first, sent.operation) : []),
      ...more.flatMap((request) => serialized(request, sent.operation).slice(0, 1)),
    ]);
  });
  return {
    operations,
    tryOperation,
    async tryLeast(name) {
      const sent = operations.get(name);
      const shortest = sent && least(sent);
      return sent && shortest ? tryAll(serialized(shortest, sent.operation)) : [];
    },
    canSend({ name, operation }, value) {
      const sent = operations.get(operation);
      const place = sent && placeOf(sent, name.slice(operation.length + 1));
      return place === undefined || place.canSend(value);
    },
    async canTry({ name, operation }) {
      const sent = operations.get(operation);
      const shortest = sent && least(sent);
      if (!sent || !shortest || name.endsWith(', decoded')) return false;
      const [request] = serialized(shortest, sent.operation);
      const verdicts = request && (await Promise.all([judges.base(request), judges.revision(request)]));
      return verdicts?.[0]?.isAccepted === true && verdicts[1] !== undefined;
    },
    async tryValue({ name, operation }, value) {
      const sent = operations.get(operation);
      const shortest = sent && least(sent);
      const place = sent && placeOf(sent, name.slice(operation.length + 1));
      if (!sent || !shortest || !place?.canSend(value)) return undefined;
      if (!place.canWrite(value)) return 'untried';
      const requests = [value, withTwoItems(value)].flatMap((each) =>
        serialized(place.put(shortest, each), sent.operation).slice(0, 1),
      );
      const tried = await tryAll(requests);
      return tried.find(({ lost }) => lost.length > 0) ?? tried[0];
    },
  };
}

function sentOperations(document: OpenApiDocument): Map<string, SentOperation> {
  const contract = createContract(document);
  if (!hasBasePaths(contract)) return new Map();
  const budget = new WorkBudget();
  const view = once(() => contextOf(contract.view('request'), budget));
  const tested = once(() => operationsOf(view()));
  return new Map(
    contract.operations.map((operation, index) => [
      `${operation.method.toUpperCase()} ${operation.path.replace(/\{[^}]+\}/g, '{}')}`,
      {
        operation,
        budget,
        get context() {
          return view();
        },
        get tested() {
          const found = tested()[index];
          if (!found) throw new Error(`The operation ${operation.id} is missing in the view of requests.`);
          return found;
        },
      },
    ]),
  );
}

/** Whether the paths of all servers are known. A server with too many has none, so requests cannot be routed. */
function hasBasePaths({ operations }: Contract): boolean {
  try {
    return operations.every(({ basePaths }) => basePaths.length > 0);
  } catch {
    return false;
  }
}

/** A place in a request where values can be sent. */
interface RequestPlace {
  canSend: (value: unknown) => boolean;
  /** Whether requests with the value can be written here. Other programs can send more: XML, and forms with objects. */
  canWrite: (value: unknown) => boolean;
  put: (request: GeneratedRequest, value: unknown) => GeneratedRequest;
}

/** Returns the place of a location: `body application/json`, `query q`, `path 0`, `query filter application/json`. */
function placeOf({ tested }: SentOperation, location: string): RequestPlace | undefined {
  const [where = '', name = ''] = location.split(' ');
  if (where === 'body') {
    const documented = location.slice('body '.length);
    const content = tested.body?.content.find(({ mediaType }) => plainMediaType(mediaType) === documented);
    if (!content) return undefined;
    const mediaType = concrete(content.mediaType);
    const canWrite = (value: unknown) => isWritable(mediaType) && isSerializableBody(mediaType, value);
    return {
      canSend: (value) => canWrite(value) || isSentByOthers(mediaType, value),
      canWrite,
      put: (request, value) => ({ ...request, body: { mediaType, value } }),
    };
  }
  const template = [...tested.path.matchAll(/\{([^}]+)\}/g)].map(([, each]) => each);
  const parameter = tested.parameters.find(
    (each) =>
      each.in === where &&
      (where === 'path'
        ? template.indexOf(each.name) === Number(name)
        : (where === 'header' ? each.name.toLowerCase() : each.name) === name),
  );
  const canSend = (value: unknown) =>
    parameter !== undefined && isSerializable(parameter, parameter.in === 'query' ? filled(value) : value);
  return (
    parameter && {
      canSend,
      canWrite: canSend,
      put: (request, value) => withParameter(request, parameter, value),
    }
  );
}

/** Repeats the only item of a list, and those of the lists in an object. */
function withTwoItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? [...value, ...value] : value;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, Array.isArray(part) ? withTwoItems(part) : part]),
  );
}

/**
 * Whether other programs can send a body as it is, which cannot be written here. In XML, and in forms except in their parts
 * that are JSON, all scalars are texts.
 */
function isSentByOthers(mediaType: string, value: unknown): boolean {
  if (!isForm(mediaType)) return !isWritable(mediaType) && (!mediaType.includes('xml') || areTexts(value));
  if (!isObject(value) || Object.values(value).some((part) => Array.isArray(part) && part.length === 0))
    return false;
  const parts = Object.values(value).flat();
  const isJsonPart = (part: unknown) => mediaType.startsWith('multipart/') && isObject(part);
  return parts.some(isObject) && parts.every((part) => isJsonPart(part) || areTexts(part));
}

/** Whether all scalars in a value are texts. */
const areTexts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(areTexts)
    : typeof value === 'string';

/** Replaces empty texts, which the query can carry, though a generator of requests for other services avoids them. */
const filled = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, each: unknown) => (each === '' ? 'text' : each));

/**
 * Returns the parts of a request that the revision rejects or reads less of. A value counts as read in any part and
 * type, so `?page=1` may become a property of an object, and a number may become a text.
 */
function lostParts(base: Verdict & { isAccepted: true }, revision: Verdict): string[] {
  // A request can reach another operation: `/books/mine` that of `/books/{id}`.
  if (revision.route !== base.route) return ['route'];
  if (!revision.isAccepted) return [...revision.parts];
  const all = new Set([...base.read.keys(), ...revision.read.keys()]);
  const lost: { part: string; texts: string[] }[] = [];
  const gained: string[] = [];
  for (const part of all) {
    const [before, after] = [base.read.get(part) ?? [], [...(revision.read.get(part) ?? [])]];
    const missing = before.filter((text) => !remove(after, text));
    if (missing.length > 0) lost.push({ part, texts: missing });
    gained.push(...after);
  }
  return lost.filter(({ texts }) => !texts.every((text) => remove(gained, text))).map(({ part }) => part);
}

/** Removes the first occurrence of a text from a list. @returns whether the list had it */
function remove(list: string[], text: string): boolean {
  const index = list.indexOf(text);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}
