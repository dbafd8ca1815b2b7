import fc from 'fast-check';
import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { pointerTokens, resolvePointer } from '../../lib/json-pointer.ts';
import { operationsOf, type TestedOperation } from '../../testing/requests/operations.ts';
import { isSerializable } from '../../testing/requests/parameters.ts';
import { type GeneratedRequest, serializeRequest } from '../../testing/requests/serialize.ts';
import { validRequests } from '../../testing/requests/valid-requests.ts';
import { tryGenerate } from '../../testing/schema-values/arbitrary.ts';
import { createSchemaContext, type SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';
import type { Contract } from '../model/contract.ts';
import type { BreakingFinding } from './comparison.ts';

/** Returns what stops working, or the reason why nothing does; undefined if neither is known. */
export type AffectedLineOf = (change: BreakingFinding) => string | { reason: string } | undefined;

type Node = JsonObject;

interface OperationContext {
  change: BreakingFinding;
  operation: TestedOperation;
  /** The last name in the path of the change: a status code, a media type, or a header. */
  name: string;
  /** The affected parameter, from the new contract, or from the old one if it was removed. Empty if the change affects no parameter. */
  parameter: Node;
  /** Describes a minimal request of the operation, with the parameter if one is given. */
  request: (parameter?: Node) => string;
}

/** Describes what stops working, by rule ID, for rules about an operation. A new rule of this kind needs an entry. */
const ofOperations: Readonly<Record<string, (context: OperationContext) => string | { reason: string }>> = {
  'path-removed': ({ change, request }) =>
    change.path.includes('/callbacks') ? `the calls that followed ${request()}` : request(),
  'operation-removed': ({ request }) => request(),
  'operation-id-changed': () => ({
    reason: 'Requests stay the same; the name of the operation in generated clients changes.',
  }),
  'parameter-removed': ({ parameter, request }) => request(parameter),
  'parameter-became-required': ({ parameter, request }) => `${request()}, without ${String(parameter.name)}`,
  'parameter-serialization-changed': ({ parameter, request }) => `${request(parameter)}, as it was parsed`,
  'default-changed': ({ change, parameter, request }) =>
    `${request()}, without ${String(parameter.name ?? nameAfter('properties', change))}`,
  'request-body-removed': ({ request }) => `${request()}, with a body`,
  'request-body-became-required': ({ request }) => `${request()}, without a body`,
  'required-body-added': ({ request }) => `${request()}, without a body`,
  'media-type-removed': ({ change, name, parameter, request }) =>
    change.path.includes('/parameters/')
      ? request(parameter)
      : `${request()}, with ${change.path.includes('/responses/') ? 'Accept' : 'Content-Type'}: ${name}`,
  'encoding-changed': ({ change, request }) =>
    `${request()}, with the part ${nameAfter('encoding', change)} as it was written`,
  'response-removed': ({ change, name, request }) =>
    `the response ${name} to ${change.path.includes('/callbacks/') ? 'the callback of ' : ''}${request()}`,
  'responses-removed': ({ request }) => `every response to ${request()}`,
  'servers-overridden': ({ change, request }) => `${request()}: ${change.message}`,
  'response-header-serialization-changed': ({ change, request }) =>
    `${nameAfter('headers', change)} in the response to ${request()}, as it was parsed`,
  'response-header-removed': ({ name, request }) => `${name} in the response to ${request()}`,
  'response-header-became-optional': ({ name, request }) => `${name} in every response to ${request()}`,
  'security-requirement-changed': ({ operation, request }) =>
    `${request()}, with ${credentialsOf(operation)}`,
};

/** Returns the name after the last occurrence of a word in the path. */
function nameAfter(word: string, { path }: BreakingFinding): string {
  const steps = pointerTokens(path);
  return steps[steps.lastIndexOf(word) + 1] ?? 'it';
}

const credentialsOf = ({ securitySchemes }: TestedOperation): string =>
  securitySchemes.length === 0
    ? 'no credentials'
    : securitySchemes
        .map((all) => all.map(({ type, name }) => name ?? type).join(' and '))
        .join(', or with ');

/** Describes what stops working, by rule ID, for rules about the whole contract. */
const ofContracts: Readonly<
  Record<string, (change: BreakingFinding, node: Node) => string | { reason: string }>
> = {
  'server-removed': ({ base }, node) => `requests to ${String(node.url ?? base?.value)}`,
  'server-variable-changed': ({ message }) => `requests to a URL built with it: ${message}`,
  'security-scheme-changed': (_, node) => `requests with ${credentialsBy(node)}`,
  'oauth-flow-changed': ({ message }) => `requests for a token: ${message}`,
  'discriminator-changed': () => ({
    reason: 'The values stay the same; their meaning in clients changes.',
  }),
  'callback-url-changed': ({ base }) => `calls to ${String(base?.value)}`,
};

function credentialsBy({ type, name, in: location, scheme }: Node): string {
  if (type !== 'apiKey') return `Authorization: ${String(scheme ?? type)} …`;
  return location === 'query'
    ? `?${String(name)}=…`
    : location === 'cookie'
      ? `Cookie: ${String(name)}=…`
      : `${String(name)}: …`;
}

/**
 * Creates the function that describes what a change breaks.
 * @param before the old contract, normalized
 * @param after the new contract, normalized
 */
export function createAffectedLine(before: Contract, after: Contract): AffectedLineOf {
  const context = createSchemaContext(before.view('request').document);
  const operations = operationsOf(context);
  return (change) => {
    const general = ofContracts[change.rule];
    if (general) return general(change, nodeAround(before.document, change.base?.pointer));
    const [where, path, method, ...steps] = pointerTokens(change.path);
    if (where === 'webhooks') return `webhook requests of ${path}`;
    const rule = ofOperations[change.rule];
    // If a path was renamed, the path of the change has the new name.
    const renamed = typeof change.base?.value === 'string' && change.base.value.startsWith('/');
    const oldPath = renamed ? change.base?.value : path;
    const operation = operations.find(
      (each) => each.path === oldPath && (method === undefined || each.method === method),
    );
    if (where !== 'paths' || !operation || !rule) return undefined;
    const { base } = change;
    // All names of a `content` or `headers` map, or the old name of a renamed key.
    const names =
      isObject(base?.value) && /\/(content|headers)$/.test(change.path)
        ? Object.keys(base.value).join(', ')
        : base?.value;
    const last = typeof names === 'string' ? names : steps.filter((step) => step !== 'schema').at(-1);
    return rule({
      change,
      operation,
      name: last ?? '',
      parameter: parameterOf(change, before, after) ?? {},
      request: (parameter) => describeRequest(context, operation, parameter),
    });
  };
}

function nodeAround(before: object, pointer = ''): Node {
  const found = [pointer, pointer.slice(0, pointer.lastIndexOf('/'))]
    .map((at) => resolvePointer(before, at))
    .find(isObject);
  return found ?? {};
}

/**
 * Returns the parameter that a change is about. If the change is a list of parameters, the first required parameter is
 * returned, or else the first one.
 */
function parameterOf(
  { path, base, revision }: BreakingFinding,
  before: Contract,
  after: Contract,
): Node | undefined {
  const [way] = /^.*?\/parameters(\/\d+)?/.exec(path) ?? [];
  // The path refers to the new contract, except for removed parts.
  const contract = revision ? after : before;
  const found = way === undefined ? undefined : resolvePointer(contract.document, way);
  const given: unknown[] = [found ?? revision?.value ?? base?.value].flat();
  return given
    .filter(isObject)
    .map((each) => contract.follow(each).node)
    .toSorted((a, b) => Number(b.required === true) - Number(a.required === true))[0];
}

/** Formats the shortest valid request, such as `GET /books?page=1`, followed by its headers. */
function describeRequest(context: SchemaContext, operation: TestedOperation, node: Node = {}): string {
  const requests =
    tryGenerate(() => fc.sample(validRequests(context, operation), { numRuns: 20, seed: 1 })) ?? [];
  const lines = requests.map((request) => {
    const { method, target, headers } = serializeRequest(withParameter(context, leastOf(request), node));
    const { 'Content-Type': _, ...shown } = headers;
    const extra = Object.entries(shown).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
    return [`${method} ${target}`, ...extra].join(', with ');
  });
  const [shortest] = lines.sort((a, b) => a.length - b.length);
  return shortest ?? `${operation.method.toUpperCase()} ${operation.path}`;
}

/** Returns the request without optional parameters. */
function leastOf(request: GeneratedRequest): GeneratedRequest {
  const needed = (location: 'query' | 'header' | 'cookie') =>
    Object.fromEntries(
      Object.entries(request[location]).filter(([name]) =>
        request.operation.parameters.some(
          (each) => each.in === location && each.name === name && each.required,
        ),
      ),
    );
  return { ...request, query: needed('query'), header: needed('header'), cookie: needed('cookie') };
}

function withParameter(
  context: SchemaContext,
  request: GeneratedRequest,
  { in: location, name }: Node,
): GeneratedRequest {
  const parameter = request.operation.parameters.find((each) => each.in === location && each.name === name);
  if (!parameter || parameter.in === 'path') return request;
  const made =
    tryGenerate(() => fc.sample(valuesOf(context, [parameter.schema]), { numRuns: 20, seed: 1 })) ?? [];
  const [value] = [
    ...parameter.examples,
    ...(isObject(parameter.schema) && 'default' in parameter.schema ? [parameter.schema.default] : []),
    ...made.toSorted((a, b) => JSON.stringify(a).length - JSON.stringify(b).length),
  ].filter((each) => isSerializable(parameter, each));
  return value === undefined
    ? request
    : { ...request, [parameter.in]: { ...request[parameter.in], [parameter.name]: value } };
}
