import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { documentedErrors } from '../../../server/contract/documented-errors.ts';
import { toErrorResponse } from '../../../server/contract/error-response.ts';
import { startState } from '../../../server/contract/exchange.ts';
import { handleRequest } from '../../../server/contract/handle-request.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { acceptedType, bodyTooLarge, parseBody } from '../../../server/contract/parse-body.ts';
import { createRouter } from '../../../server/contract/router.ts';
import { partsOf } from '../../../server/http/express/read-body.ts';
import {
  array,
  content,
  documentOf,
  integer,
  map,
  object,
  reference,
  string,
} from '../../support/documents.ts';

const query = (name: string, rest: object) => ({ in: 'query', name, ...rest });
const list = array(reference('Number'));
const ok = { responses: { 200: { description: 'ok' } } };
const inPath = (...names: string[]) =>
  names.map((name) => ({ in: 'path', name, required: true, schema: string }));
/** Schemas of objects that a constant tells apart. */
const kinds = (...names: string[]) => names.map((name) => object({ kind: { const: name } }, 'kind'));
const jsonBody = {
  ...object({
    numbers: { ...list, maxItems: 100_000 },
    unique: { ...list, uniqueItems: true },
    closed: array({ type: 'object', additionalProperties: false }),
    name: { ...string, maxLength: 10 },
    mail: { ...string, format: 'email' },
    time: { ...string, format: 'date-time' },
    address: { ...string, format: 'uri' },
    nested: map(array({ anyOf: [object({ a: { anyOf: kinds('x', 'y') } }), object({ a: kinds('z')[0] })] })),
  }),
  additionalProperties: map(reference('Number')),
};

/** A contract with every kind of parameter and body. */
const document = documentOf(
  {
    '/plain/{id}': { get: { parameters: [...inPath('id'), query('q', { schema: string })], ...ok } },
    '/files/{name}.{extension}': { get: { parameters: inPath('name', 'extension'), ...ok } },
    '/composed': {
      get: {
        parameters: [
          query('list', { schema: list }),
          query('csv', { schema: list, explode: false }),
          query('pipes', { schema: list, explode: false, style: 'pipeDelimited' }),
          query('deep', { schema: object({ since: string }), style: 'deepObject', explode: true }),
          query('pairs', { schema: object({ a: string }), explode: false }),
          query('json', content({ type: 'object', additionalProperties: false })),
          { in: 'header', name: 'X-List', schema: list },
          { in: 'cookie', name: 'session', schema: string },
        ],
        ...ok,
      },
    },
    '/bodies': {
      post: {
        requestBody: {
          required: true,
          content: {
            ...content(jsonBody).content,
            'application/x-www-form-urlencoded': {
              schema: { ...object({ a: list, b: string }), additionalProperties: string },
            },
            'multipart/form-data': { schema: object({ a: list, file: { ...string, format: 'binary' } }) },
            'text/plain': { schema: { ...string, maxLength: 100 } },
          },
        },
        ...ok,
      },
    },
  },
  { components: { schemas: { Number: integer, Tree: map(reference('Tree')) } } },
);

/** The parts of a request that growth tests vary. */
export interface TestRequest {
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Creates a function that passes a request through the pipeline, and formats its response or error response. */
export function createPipelineRun(): (request: TestRequest) => Promise<number> {
  const matchOf = createRouter(operationsOf(compileContract(document)));
  return async ({ url, headers = {}, body = '' }) => {
    const req = {
      url,
      method: body === '' ? 'GET' : 'POST',
      headers: body === '' ? headers : { ...headers, 'content-length': String(body.length) },
      rawHeaders: Object.entries(headers).flat(),
    };
    const match = matchOf(req);
    const state = { ...startState(req, match.operation), bytes: Buffer.from(body, 'latin1') };
    const response = await handleRequest(
      state,
      match,
      {
        authenticate: async () => ({ caller: undefined, scopes: new Set<string>(), headers: {} }),
        respond: async () => ({ status: 200 }),
      },
      {
        async readBody({ bytes }, operation, limit) {
          if (bytes.length > limit) throw bodyTooLarge(limit);
          return parseBody(bytes, acceptedType(req, operation), req, operation, partsOf);
        },
        addressOf: () => () => '',
      },
    ).catch((error: unknown) =>
      toErrorResponse(error, state, {
        errors: documentedErrors,
        mapError: () => undefined,
        onError: ({ error: cause }) => {
          throw cause;
        },
      }),
    );
    return response.status;
  };
}
