import type { Server } from 'node:http';
import { resolve } from 'node:path';
import express from 'express';
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
import { createPrismAnswer } from './prism.ts';

/** Where our contract is, from the project's root. */
export const ownContract = 'openapi/openapi.yaml';

export interface MockOptions {
  /** Path of the contract's root. */
  api: string;
  onAnswered?: (record: AnsweredRequest<'mock'>) => void;
  onFault?: (error: unknown) => void;
  observe?: PipelineOptions<'mock'>['observe'];
}

/**
 * The server's own pipeline, with Prism in the place of the handlers. It does not listen yet.
 * @throws Error where the contract cannot be read or compiled
 */
export async function createMock({
  api,
  onAnswered = () => {},
  onFault = () => {},
  observe,
}: MockOptions): Promise<Server> {
  const document = await bundleContract(api);
  const scopes = scopesOf(document);
  const own = isOwn(api);
  const schemes = document.components?.securitySchemes ?? {};
  const pipeline = await createPipeline<'mock'>({
    document,
    authenticate: own ? mockAuthenticate(scopes) : anyCredentials(schemes, scopes),
    // Rules of ours say nothing of another contract, even where it has an operation of the same name.
    checks: own ? checksFor(strictest) : {},
    answer: await createPrismAnswer(document, { optionalHeaders: !own }),
    onAnswered,
    onFault: ({ error }) => onFault(error),
    observe,
  });
  const app = express();
  app.disable('x-powered-by');
  // The mock keeps nothing, so that pages of any origin may ask it.
  app.use(allowOrigins(() => true));
  app.use(pipeline);
  return createHttpServer(app);
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
