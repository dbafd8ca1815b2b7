import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpConfig,
  type IHttpOperationConfig,
  type IHttpRequest,
} from '@stoplight/prism-http';
import { pino } from 'pino';
import { PipelineError } from '../../../server/pipeline/errors.ts';
import type { HandlerResponse } from '../../../server/pipeline/exchange.ts';
import type { CompiledOperation } from '../../../server/pipeline/operation.ts';
import type { PipelineOptions } from '../../../server/pipeline/pipeline.ts';
import type { ContractConfig } from '../config.ts';
import { parsePrefer } from './prefer.ts';

type Answer = PipelineOptions<unknown>['respond'];
type Resource = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>[number];

// Prism only creates the response. The pipeline does routing, security and validation.
const config: IHttpConfig = {
  isProxy: false,
  validateRequest: false,
  validateResponse: false,
  checkSecurity: false,
  errors: false,
  upstreamProxy: undefined,
  mock: { dynamic: false },
};

/**
 * Creates a responder that returns the contract's examples. Prism runs in this process.
 * @param document a bundled contract
 * @param sendsOptionalHeader decides which optional headers are sent (default: all)
 * @returns the `respond` option of the pipeline; it throws PipelineError if Prism finds no response
 */
export async function createPrismResponse(
  document: object,
  { sendsOptionalHeader }: Pick<ContractConfig, 'sendsOptionalHeader'>,
): Promise<Answer> {
  // Prism modifies the document, so it gets a copy.
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const logger = Object.assign(pino({ level: 'silent' }), { success: () => {} });
  const prism = createInstance(config, { logger });

  return async (operation, input, req) => {
    const resource = operations.find(
      ({ method, path }) => method === operation.method && operation.path === operation.basePath + path,
    );
    if (!resource) throw new Error(`Prism does not know ${operation.id}.`);
    // The request has the server's base path, which Prism does not expect.
    const request: IHttpRequest = {
      method: resource.method as IHttpRequest['method'],
      url: { path: new URL(req.url ?? '/', 'http://mock').pathname.slice(operation.basePath.length) },
      headers: typeof req.headers.prefer === 'string' ? { prefer: req.headers.prefer } : {},
      body: input.body,
    };
    // An operation may document no responses at all.
    if (resource.responses.length === 0) return { status: 200 };
    const mediaTypes = acceptedTypes(req.headers.accept);
    const mock = { ...config.mock, mediaTypes, ...preferred(request, resource) };
    const result = await prism.request(request, [{ ...resource, servers: [] }], { ...config, mock })();
    if ('left' in result)
      throw new PipelineError('notFound', {
        message: `The mock has no such response. ${result.left.message}`,
      });
    // Prism adds headers of its own, such as Deprecation, which the pipeline sends itself.
    return withDocumentedHeaders(
      answerFrom(result.right.output),
      operation,
      (name) => sendsOptionalHeader?.(name, request.headers?.prefer) ?? true,
    );
  };
}

/**
 * Returns the media types in the order in which the mock tries them. As in the service, a response may have another type
 * than the requested ones (RFC 9110, section 12.4.1).
 */
const acceptedTypes = (accept: string | undefined): string[] =>
  accept === undefined || accept.trim() === '' || accept.trim() === '*/*'
    ? ['application/json', '*/*;q=0.1']
    : [accept, '*/*;q=0.001'];

/** Keeps the documented headers of a response, and of these the required ones and those that are sent. */
function withDocumentedHeaders(
  response: HandlerResponse,
  { responses }: CompiledOperation,
  isSent: (name: string) => boolean,
): HandlerResponse {
  const range = `${Math.floor(response.status / 100)}XX`;
  const documented =
    (responses[String(response.status)] ?? responses[range] ?? responses.default)?.headers ?? [];
  const kept = Object.entries(response.headers ?? {}).filter(([header]) =>
    documented.some(({ name, required }) => name === header.toLowerCase() && (required || isSent(name))),
  );
  return { ...response, headers: Object.fromEntries(kept) };
}

/** Returns the options for `Prefer: code=404, example=NAME`. @throws PipelineError if either is not documented */
function preferred(request: IHttpRequest, { responses }: Resource): Partial<IHttpOperationConfig> {
  const unknownPreference = (message: string) =>
    new PipelineError('validationFailed', { message, fields: 'header/Prefer' });
  const { code, exampleKey } = parsePrefer(request.headers?.prefer);
  const statuses = responses.map((response) => response.code);
  if (code !== undefined && !statuses.some((status) => matchesStatus(status, code)))
    throw unknownPreference(`This operation does not document ${code}. Documented: ${statuses.join(', ')}.`);
  const examples = responses
    .filter((response) =>
      code === undefined ? /^(2|default)/.test(response.code) : matchesStatus(response.code, code),
    )
    .flatMap(({ contents = [] }) =>
      contents.flatMap(({ examples: named = [] }) => named.map(({ key }) => key)),
    );
  if (exampleKey !== undefined && !examples.includes(exampleKey))
    throw unknownPreference(`There is no example ${exampleKey}. Examples: ${examples.join(', ')}.`);
  return { ...(code === undefined ? {} : { code }), ...(exampleKey === undefined ? {} : { exampleKey }) };
}

/** `4XX` and `default` match many statuses. */
const matchesStatus = (documented: string, code: number): boolean =>
  documented === 'default' || new RegExp(`^${documented.replaceAll(/x/gi, '.')}$`).test(String(code));

interface PrismOutput {
  statusCode: number;
  headers?: Record<string, unknown>;
  body?: unknown;
}

/** Whether Prism has invented the media type: if every type is documented, it returns text/plain, even for an object. */
const isInvented = (mediaType: string, body: unknown): boolean =>
  mediaType === 'text/plain' && typeof body === 'object';

function answerFrom({ statusCode, headers = {}, body }: PrismOutput): HandlerResponse {
  const given = Object.entries(headers);
  const mediaType = given.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  // The pipeline sets the request ID.
  const kept = given.filter(([name]) => !['content-type', 'x-request-id'].includes(name.toLowerCase()));
  return {
    status: statusCode,
    headers: Object.fromEntries(kept),
    ...(body === undefined ? {} : { body }),
    ...(typeof mediaType === 'string'
      ? { mediaType: isInvented(mediaType, body) ? 'application/json' : mediaType }
      : {}),
  };
}
