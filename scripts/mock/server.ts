import type { Server } from 'node:http';
import { resolve } from 'node:path';
import express, { type RequestHandler } from 'express';
import { strictest } from '../../server/addresses/policy.ts';
import { checksFor } from '../../server/checks.ts';
import { allowOrigins } from '../../server/pipeline/cors.ts';
import { createHttpServer } from '../../server/pipeline/http-server.ts';
import {
  type AnsweredRequest,
  createPipeline,
  type PipelineOptions,
} from '../../server/pipeline/pipeline.ts';
import { bundleContract } from '../generate/bundle.ts';
import type { OpenApiDocument } from '../generate/document.ts';
import { anyCredentials, mockAuthenticate } from './authenticate.ts';
import { createDynamicAnswer } from './dynamic.ts';
import { createPrismAnswer } from './prism.ts';

/** Where our contract is, from the project's root. */
export const ownContract = 'openapi/openapi.yaml';

export interface MockOptions {
  /** Path of the contract's root. */
  api: string;
  /** The seed by which answers are made up; without one they are the contract's examples. */
  seed?: number | undefined;
  onAnswered?: (record: AnsweredRequest<'mock'>) => void;
  onFault?: (error: unknown) => void;
  observe?: PipelineOptions<'mock'>['observe'];
}

/** The mock as a server, which does not listen yet. */
export interface Mock {
  server: Server;
  /** Reads the contract anew; where that fails, the mock stays as it is, and the error is thrown. */
  reload: () => Promise<void>;
}

/**
 * The server's own pipeline, with Prism in the place of the handlers.
 * @throws Error where the contract cannot be read or compiled
 */
export async function createMock(options: MockOptions): Promise<Mock> {
  let pipeline = await createHandler(options);
  const app = express();
  app.disable('x-powered-by');
  // The mock keeps nothing, so that pages of any origin may ask it.
  app.use(allowOrigins(() => true));
  app.use((req, res, next) => pipeline(req, res, next));
  const reload = async () => {
    pipeline = await createHandler(options);
  };
  return { server: createHttpServer(app), reload };
}

async function createHandler({
  api,
  seed,
  onAnswered = () => {},
  onFault = () => {},
  observe,
}: MockOptions): Promise<RequestHandler> {
  const document = await bundleContract(api);
  const scopes = scopesOf(document);
  const own = isOwn(api);
  const schemes = document.components?.securitySchemes ?? {};
  const exemplary = await createPrismAnswer(document, { optionalHeaders: !own });
  return await createPipeline<'mock'>({
    document,
    authenticate: own ? mockAuthenticate(scopes) : anyCredentials(schemes, scopes),
    // Rules of ours say nothing of another contract, even where it has an operation of the same name.
    checks: own ? checksFor(strictest) : {},
    answer: createDynamicAnswer(document, exemplary, { seed: seed ?? 1, unasked: seed !== undefined }),
    onAnswered,
    onFault: ({ error }) => onFault(error),
    observe,
  });
}

/** Whether a contract is ours, however its path is written. */
export const isOwn = (api: string): boolean =>
  [ownContract, 'generated/openapi.json'].some((path) => resolve(path) === resolve(api));

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
