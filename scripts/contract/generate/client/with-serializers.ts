import { objectOf } from '../../../../server/lib/json-object.ts';
import {
  type BodyRule,
  type ParameterRule,
  serializeBody,
  writeCookies,
  writeHeader,
  writePath,
  writeQuery,
} from './serialize-parameters.ts';

/** How the parameters of an operation are sent, or why this is not defined. */
export type RulesOfOperation = readonly ParameterRule[] | string;

/** The rules of the operations that need any, by method and path: `GET /notes/{id}`. */
export type OperationRules = ReadonlyMap<string, RulesOfOperation>;

/**
 * Returns a client of openapi-fetch that serializes parameters and bodies as the contract describes. Serializers that a call
 * names itself take precedence. It adds a middleware to the client if the contract has cookies.
 * @param client what `createClient` of openapi-fetch has returned
 * @param bodies how the bodies of operations are sent that openapi-fetch would send as JSON, by method and path
 */
export function withSerializers<Client extends object>(
  client: Client,
  operations: OperationRules,
  bodies: ReadonlyMap<string, BodyRule>,
): Client {
  const given: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(client));
  const { request, use } = given;
  const changed: Record<string, unknown> = {};
  const rulesOf = (method: string, path: string) => {
    const rules = operations.get(`${method.toUpperCase()} ${path}`);
    if (typeof rules === 'string') throw new TypeError(`${method.toUpperCase()} ${path}: ${rules}`);
    return rules;
  };
  const prepared = (method: string, path: string, init: unknown) =>
    prepare(rulesOf(method, path), bodies.get(`${method.toUpperCase()} ${path}`), init);
  for (const [method, call] of Object.entries(given)) {
    // The functions of HTTP methods have upper-case names.
    if (typeof call !== 'function' || method !== method.toUpperCase()) continue;
    changed[method] = async (path: string, init?: unknown) => call(path, prepared(method, path, init));
  }
  if (typeof request === 'function')
    changed.request = async (method: string, path: string, init?: unknown) =>
      request(method, path, prepared(method, path, init));
  const hasCookies = [...operations.values()].some(
    (rules) => typeof rules !== 'string' && rules.some((rule) => rule.in === 'cookie'),
  );
  if (hasCookies && typeof use === 'function') use({ onRequest: addCookies(rulesOf) });
  return Object.assign({}, client, changed);
}

/** Adds the serializers of an operation to the options of a call. */
function prepare(
  rules: readonly ParameterRule[] = [],
  bodyRule: BodyRule | undefined,
  init: unknown,
): unknown {
  if (rules.length === 0 && bodyRule === undefined) return init;
  const options = objectOf(init);
  const params = objectOf(options.params);
  const has = (location: ParameterRule['in']) => rules.some((rule) => rule.in === location);
  return {
    ...(has('query')
      ? { querySerializer: (values: Record<string, unknown>) => writeQuery(rules, values) }
      : {}),
    ...(has('path')
      ? {
          pathSerializer: (template: string, values: Record<string, unknown>) =>
            writePath(rules, template, values),
        }
      : {}),
    ...(bodyRule === undefined ? {} : { bodySerializer: (body: unknown) => serializeBody(bodyRule, body) }),
    ...options,
    params: {
      ...params,
      header: { ...typeOf(bodyRule, options.headers), ...headersOf(rules, objectOf(params.header)) },
    },
  };
}

/** openapi-fetch names JSON, except for `FormData`. With null, it names nothing. @param given the headers of the call */
function typeOf(bodyRule: BodyRule | undefined, given: unknown): Record<string, unknown> {
  const names = given instanceof Headers ? [...given.keys()] : Object.keys(objectOf(given));
  const isNamed = names.some((name) => name.toLowerCase() === 'content-type');
  return !bodyRule || isNamed || bodyRule.kind.startsWith('multipart')
    ? {}
    : { 'Content-Type': bodyRule.type ?? null };
}

const headersOf = (
  rules: readonly ParameterRule[],
  headers: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const rule = rules.find((each) => each.in === 'header' && each.name === name);
      return [name, rule && value !== undefined && value !== null ? writeHeader(rule, value) : value];
    }),
  );

interface SentRequest {
  request: Request;
  schemaPath: string;
  params: { cookie?: Record<string, unknown> };
}

/** openapi-fetch does not send cookies. Those that the client sends already are kept. Browsers only send their own. */
const addCookies =
  (rulesOf: (method: string, path: string) => readonly ParameterRule[] | undefined) =>
  ({ request, schemaPath, params }: SentRequest): void => {
    const cookies = writeCookies(rulesOf(request.method, schemaPath) ?? [], objectOf(params.cookie));
    if (cookies === undefined) return;
    const sent = request.headers.get('Cookie');
    request.headers.set('Cookie', sent === null ? cookies : `${sent}; ${cookies}`);
  };
