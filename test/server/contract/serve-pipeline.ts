import express from 'express';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { documentedErrors } from '../../../server/contract/documented-errors.ts';
import { createPipeline, type PipelineOptions } from '../../../server/http/express/pipeline.ts';
import { documentOf } from '../../support/documents.ts';
import { startListening } from '../../support/start-listening.ts';

/**
 * Serves a contract with the error responses that it documents. Every request is authenticated.
 * @param contract `paths` and other members of the OpenAPI document; `openapi` and `info` are added
 * @returns the URL of the server
 */
export async function servePipeline(
  contract: object,
  respond: PipelineOptions<undefined>['respond'],
  options: Partial<PipelineOptions<undefined>> = {},
): Promise<string> {
  const pipeline = createPipeline<undefined>({
    contract: compileContract(documentOf({}, contract)),
    authenticate: async () => ({ caller: undefined, scopes: new Set(), headers: {} }),
    errors: documentedErrors,
    respond,
    ...options,
  });
  return startListening(express().use(pipeline));
}
