import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { documentedErrors } from '../../../server/contract/documented-errors.ts';
import { toErrorResponse } from '../../../server/contract/error-response.ts';
import type { RequestState } from '../../../server/contract/exchange.ts';
import { handleRequest } from '../../../server/contract/handle-request.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { acceptedType, bodyTooLarge, parseBody } from '../../../server/contract/parse-body.ts';
import { createRouter } from '../../../server/contract/router.ts';
import { partsOf } from '../../../server/http/express/read-body.ts';

const text = { type: 'string' };
const query = (name: string, rest: object) => ({ in: 'query', name, ...rest });
const list = { type: 'array', items: { $ref: '#/components/schemas/Number' } };
const ok = { responses: { 200: { description: 'ok' } } };

/** A contract with every kind of parameter and body. */
const document = {
  openapi: '3.1.1',
  info: { title: 'T', version: '1' },
  components: {
    schemas: {
      Number: { type: 'integer' },
      Tree: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Tree' } },
    },
  },
  paths: {
    '/plain/{id}': {
      get: {
        parameters: [{ in: 'path', name: 'id', required: true, schema: text }, query('q', { schema: text })],
        ...ok,
      },
    },
    '/files/{name}.{extension}': {
      get: {
        parameters: ['name', 'extension'].map((name) => ({ in: 'path', name, required: true, schema: text })),
        ...ok,
      },
    },
    '/composed': {
      get: {
        parameters: [
          query('list', { schema: list }),
          query('csv', { schema: list, explode: false }),
          query('pipes', { schema: list, explode: false, style: 'pipeDelimited' }),
          query('deep', {
            schema: { type: 'object', properties: { since: text } },
            style: 'deepObject',
            explode: true,
          }),
          query('pairs', { schema: { type: 'object', properties: { a: text } }, explode: false }),
          query('json', {
            content: { 'application/json': { schema: { type: 'object', additionalProperties: false } } },
          }),
          { in: 'header', name: 'X-List', schema: list },
          { in: 'cookie', name: 'session', schema: text },
        ],
        ...ok,
      },
    },
    '/bodies': {
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  numbers: { ...list, maxItems: 100_000 },
                  closed: { type: 'array', items: { type: 'object', additionalProperties: false } },
                  name: { type: 'string', maxLength: 10 },
                  mail: { type: 'string', format: 'email' },
                  time: { type: 'string', format: 'date-time' },
                  address: { type: 'string', format: 'uri' },
                },
                additionalProperties: {
                  type: 'object',
                  additionalProperties: { $ref: '#/components/schemas/Number' },
                },
              },
            },
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { a: list, b: text }, additionalProperties: text },
            },
            'multipart/form-data': {
              schema: { type: 'object', properties: { a: list, file: { type: 'string', format: 'binary' } } },
            },
            'text/plain': { schema: { type: 'string', maxLength: 100 } },
          },
        },
        ...ok,
      },
    },
  },
};

/** The parts of a request that growth tests vary. */
export interface TestRequest {
  url: string;
  headers?: Record<string, string>;
  body?: string;
}

interface State extends RequestState<undefined> {
  bytes: Buffer;
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
    const state: State = {
      req,
      requestId: 'r',
      operation: match.operation,
      caller: undefined,
      handlerCalled: false,
      input: undefined,
      headers: {},
      bytes: Buffer.from(body, 'latin1'),
    };
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
