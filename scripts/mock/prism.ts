import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpConfig,
  type IHttpRequest,
} from '@stoplight/prism-http';
import { getHttpConfigFromRequest } from '@stoplight/prism-http-server/dist/getHttpConfigFromRequest.js';
import { pino } from 'pino';
import { refuse } from '../../server/errors.ts';
import type { GivenAnswer } from '../../server/pipeline/exchange.ts';
import type { PipelineOptions } from '../../server/pipeline/pipeline.ts';

type Answer = PipelineOptions<unknown>['answer'];

// Prism only invents the answer here: matching, security and validation are the pipeline's.
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
 * Answers from the contract's examples, by Prism in this process.
 * @param document a bundled contract
 * @returns what the pipeline asks for an answer; it refuses where Prism finds none
 */
export async function createPrismAnswer(document: object): Promise<Answer> {
  // Prism writes into the document that it reads.
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  const logger = Object.assign(pino({ level: 'silent' }), { success: () => {} });
  const prism = createInstance(config, { logger });

  return async (operation, input, req) => {
    const resource = operations.find(
      ({ method, path }) => method === operation.method && operation.path.endsWith(path),
    );
    if (!resource) throw new Error(`Prism does not know ${operation.id}.`);
    // The pipeline has matched the path with the server's base path, which Prism would not expect.
    const basePath = operation.path.slice(0, operation.path.length - resource.path.length);
    const request: IHttpRequest = {
      method: resource.method as IHttpRequest['method'],
      url: { path: new URL(req.url ?? '/', 'http://mock').pathname.slice(basePath.length) },
      headers: typeof req.headers.prefer === 'string' ? { prefer: req.headers.prefer } : {},
      body: input.body,
    };
    const wanted = getHttpConfigFromRequest(request);
    const mock = { ...config.mock, ...('right' in wanted ? dropUndefined(wanted.right) : {}) };
    const result = await prism.request(request, [{ ...resource, servers: [] }], { ...config, mock })();
    if ('left' in result)
      refuse('noSuchResource', { message: `The mock has no such answer. ${result.left.message}` });
    return answerFrom(result.right.output);
  };
}

interface PrismOutput {
  statusCode: number;
  headers?: Record<string, unknown>;
  body?: unknown;
}

function answerFrom({ statusCode, headers = {}, body }: PrismOutput): GivenAnswer {
  const given = Object.entries(headers);
  const mediaType = given.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  // The pipeline names the request itself; the example's name would be somebody else's.
  const kept = given.filter(([name]) => !['content-type', 'x-request-id'].includes(name.toLowerCase()));
  return {
    status: statusCode,
    headers: Object.fromEntries(kept),
    ...(body === undefined ? {} : { body }),
    ...(typeof mediaType === 'string' ? { mediaType } : {}),
  };
}

const dropUndefined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Partial<T>;
