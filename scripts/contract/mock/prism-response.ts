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
import { isMessageHeader } from '../../../server/pipeline/ignored-headers.ts';
import { documentedType, isJson, parseMediaType } from '../../../server/pipeline/media-type.ts';
import type { ContractDocument, ContractOperation } from '../../../server/pipeline/operation.ts';
import type { PipelineOptions } from '../../../server/pipeline/pipeline.ts';
import { concrete } from '../../testing/requests/parts.ts';
import type { ContractConfig } from '../config.ts';
import { byQuality } from './negotiate.ts';
import { parsePrefer } from './prefer.ts';
import { withoutHugeSchemas } from './without-huge-schemas.ts';

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
  document: ContractDocument,
  { sendsOptionalHeader }: Pick<ContractConfig, 'sendsOptionalHeader'>,
): Promise<Answer> {
  // Prism modifies the document, so it gets a copy.
  const operations = await getHttpOperationsFromSpec(structuredClone(withoutHugeSchemas(document)));
  const logger = Object.assign(pino({ level: 'silent' }), { success: () => {} });
  const prism = createInstance(config, { logger });

  return async (operation, input, req) => {
    const resource = operations.find(
      ({ method, path }) => method === operation.method && operation.path === operation.basePath + path,
    );
    if (!resource) throw new Error(`Prism does not know ${operation.id}.`);
    const request: IHttpRequest = {
      method: resource.method as IHttpRequest['method'],
      // The pipeline has found the operation. Prism matches some templates in other ways.
      url: { path: '/' },
      headers: typeof req.headers.prefer === 'string' ? { prefer: req.headers.prefer } : {},
      body: input.body,
    };
    // An operation may document no responses at all.
    if (resource.responses.length === 0) return { status: 200 };
    const mediaTypes = acceptedTypes(operation, req.headers.accept);
    const mock = { ...config.mock, mediaTypes, ...preferred(request, resource) };
    const result = await prism.request(request, [{ ...resource, path: '/', servers: [] }], {
      ...config,
      mock,
    })();
    if ('left' in result) {
      const status = Object.keys(operation.responses).find((each) => /^2\d\d$/.test(each));
      // Prism gives up on large schemas. The caller replaces a body that violates its schema.
      if (/too complex/.test(result.left.message) && status !== undefined)
        return {
          status: Number(status),
          ...content(operation.responses[status]?.mediaTypes ?? [], null, undefined),
        };
      throw new PipelineError('notFound', {
        message: `The mock has no such response. ${result.left.message}`,
      });
    }
    // Prism adds headers of its own, such as Deprecation, which the pipeline sends itself.
    return withDocumentedHeaders(
      answerFrom(result.right.output, operation),
      operation,
      (name) => sendsOptionalHeader?.(name, request.headers?.prefer) ?? true,
    );
  };
}

/**
 * Returns the media types of an operation in the order in which the mock tries them, as ranges of an `Accept` header. As
 * in the service, a response may have a type that was not requested (RFC 9110, section 12.4.1).
 */
function acceptedTypes({ responses }: ContractOperation, accept: string | undefined): string[] {
  const documented = Object.values(responses).flatMap(({ mediaTypes }) => mediaTypes);
  const types = byQuality(accept, [...new Set(['application/json', ...documented])]);
  return [...types.map((type, index) => `${type};q=${(0.999 - index / 1000).toFixed(3)}`), '*/*;q=0.001'];
}

/** Removes undocumented headers from a response, and optional headers unless `isSent` returns true. */
function withDocumentedHeaders(
  response: HandlerResponse,
  operation: ContractOperation,
  isSent: (name: string) => boolean,
): HandlerResponse {
  const documented = documentedResponse(operation, response.status)?.headers ?? [];
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

/** `4XX` and `default` match several status codes. */
const matchesStatus = (documented: string, code: number): boolean =>
  documented === 'default' || new RegExp(`^${documented.replaceAll(/x/gi, '.')}$`).test(String(code));

interface PrismOutput {
  statusCode: number;
  headers?: Record<string, unknown>;
  body?: unknown;
}

const documentedResponse = ({ responses }: ContractOperation, status: number) =>
  responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default;

function answerFrom(
  { statusCode, headers = {}, body }: PrismOutput,
  operation: ContractOperation,
): HandlerResponse {
  const given = Object.entries(headers);
  const mediaType = given.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  // The pipeline sets these headers.
  const kept = given.filter(([name]) => !isMessageHeader(name) && name.toLowerCase() !== 'x-request-id');
  return {
    status: statusCode,
    headers: Object.fromEntries(kept),
    ...content(documentedResponse(operation, statusCode)?.mediaTypes ?? [], body, mediaType),
  };
}

/**
 * Returns the body and its media type, and corrects two results of Prism. If there is no schema, Prism returns no body.
 * If every type is documented, or the schema for text/plain allows an object, it returns an object as text/plain.
 */
function content(
  documented: readonly string[],
  body: unknown,
  mediaType: unknown,
): Pick<HandlerResponse, 'body' | 'mediaType'> {
  const [first] = documented;
  if (first === undefined) return {};
  // A documented header `Content-Type`, which OpenAPI ignores, may name another type.
  if (
    typeof mediaType === 'string' &&
    documentedType(documented, parseMediaType(mediaType) ?? mediaType) === undefined
  )
    return content(documented, body, first);
  if (body === undefined) return { body: isJson(first) ? {} : '', mediaType: sendableType(first, '') };
  if (mediaType !== 'text/plain' || typeof body !== 'object')
    return { body, ...(typeof mediaType === 'string' ? { mediaType: sendableType(mediaType, body) } : {}) };
  return documentedType(documented, 'application/json') === undefined
    ? { body: JSON.stringify(body), mediaType }
    : { body, mediaType: 'application/json' };
}

/** Returns a concrete type for a range. The pipeline sends strings unserialized, so they are not labeled as JSON. */
const sendableType = (mediaType: string, body: unknown): string =>
  typeof body === 'string' && /^(\*|application)\/\*$/.test(mediaType)
    ? 'application/octet-stream'
    : concrete(mediaType);
