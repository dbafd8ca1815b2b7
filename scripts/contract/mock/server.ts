import type { Server } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import express, { type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { allowOrigins } from '../../../server/lib/cors.ts';
import {
  createPipeline,
  type PipelineOptions,
  type RequestLogRecord,
} from '../../../server/pipeline/pipeline.ts';
import { bundleContract } from '../../lib/bundle-contract.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { type ContractConfig, isOwnContract } from '../config.ts';
import { anyCredentials, mockAuthenticate } from './authenticate.ts';
import { createDynamicResponse } from './dynamic-response.ts';
import { createPrismResponse } from './prism-response.ts';

export interface MockOptions {
  config: ContractConfig;
  /** Path of the contract's root (default: the project's own contract). */
  api?: string;
  /** Whether answers are made up where the caller does not say; else they are the contract's examples. */
  dynamic?: boolean;
  /** By which they are made up. */
  seed?: number;
  onResponse?: (record: RequestLogRecord<'mock'>) => void;
  onError?: (error: unknown) => void;
  observe?: PipelineOptions<'mock'>['observe'];
}

/** The mock as a server, which does not listen yet. */
export interface Mock {
  server: Server;
  /**
   * Reads the contract anew, and says whether it has changed; where that fails, the mock stays as it is, and the error
   * is thrown.
   */
  reload: () => Promise<boolean>;
}

/**
 * The server's own pipeline, with Prism in the place of the handlers.
 * @throws Error where the contract cannot be read or compiled
 */
export async function createMock(options: MockOptions): Promise<Mock> {
  const { config, api = config.api } = options;
  let document = await bundleContract(api);
  let pipeline = await createHandler(document, options);
  const app = express();
  app.disable('x-powered-by');
  // The mock keeps nothing, so that pages of any origin may ask it.
  app.use(allowOrigins(() => true));
  app.get('/openapi.json', (_req, res) => res.json(document));
  app.get('/openapi.yaml', (_req, res) =>
    res.type('application/yaml').send(stringify(document, { aliasDuplicateObjects: false })),
  );
  app.use((req, res, next) => pipeline(req, res, next));
  const reload = async () => {
    const read = await bundleContract(api);
    if (isDeepStrictEqual(read, document)) return false;
    pipeline = await createHandler(read, options);
    document = read;
    return true;
  };
  return { server: config.createServer(app), reload };
}

async function createHandler(
  document: OpenApiDocument,
  {
    config,
    api = config.api,
    dynamic = false,
    seed = 1,
    onResponse = () => {},
    onError = () => {},
    observe,
  }: MockOptions,
): Promise<RequestHandler> {
  const scopes = scopesOf(document);
  const own = isOwnContract(config, api);
  const schemes = document.components?.securitySchemes ?? {};
  const exemplary = await createPrismResponse(document, own ? config : {});
  return await createPipeline<'mock'>({
    document,
    authenticate: own ? mockAuthenticate(scopes) : anyCredentials(schemes, scopes),
    errors: config.errors,
    // Another contract may have an operation of the same name.
    checks: own ? config.requestRules : {},
    respond: createDynamicResponse(document, exemplary, { seed, unasked: dynamic }),
    onResponse,
    onError: ({ error }) => onError(error),
    observe,
  });
}

/** Every scope that a contract names anywhere in its security requirements. */
function scopesOf(document: OpenApiDocument): Set<string> {
  const found = new Set<string>();
  JSON.stringify(document, (key, value: unknown) => {
    if (key === 'security' && Array.isArray(value))
      for (const scope of value.flatMap((alternative: object) => Object.values(alternative).flat()))
        found.add(scope);
    return value;
  });
  return found;
}
