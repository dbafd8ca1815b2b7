import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { PipelineOptions } from '../../../server/pipeline/pipeline.ts';
import { documentedResponse } from '../../testing/conformance/check-response.ts';
import { operationsOf } from '../../testing/requests/operations.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';
import { parsePrefer } from './prefer.ts';
import { withRequestedId } from './requested-id.ts';

type Answer = PipelineOptions<unknown>['respond'];

export interface DynamicResponseOptions {
  /** The same seed produces the same responses. */
  seed: number;
  /** Whether bodies are always generated, or only if `Prefer` requests it. */
  unasked: boolean;
}

/**
 * Puts the requested ID into successful example responses and, if requested, a generated body instead of the example. A response
 * depends only on the request and the seed.
 * @param document a bundled contract
 * @param respondWithExample responds with examples
 * @returns the `respond` option of the pipeline
 */
export function createDynamicResponse(
  document: object,
  respondWithExample: Answer,
  { seed, unasked }: DynamicResponseOptions,
): Answer {
  const context = createSchemaContext(document);
  const operations = new Map(operationsOf(context).map((operation) => [operation.id, operation]));
  const values = new Map<JsonSchema, fc.Arbitrary<unknown>>();
  const valuesFor = (schema: JsonSchema) => {
    const known = values.get(schema) ?? valuesOf(context, [schema]);
    values.set(schema, known);
    return known;
  };

  return async (operation, input, req, ...rest) => {
    const response = await respondWithExample(operation, input, req, ...rest);
    const { dynamic = unasked, exampleKey, seed: ownSeed = String(seed) } = parsePrefer(req.headers.prefer);
    const known = operations.get(operation.id);
    // An example that was requested by name is returned unchanged.
    if (exampleKey !== undefined || !known || 'errorName' in response) return response;
    if (response.status >= 300 || response.body === undefined) return response;
    const { mediaType = 'application/json' } = response;
    const documented = documentedResponse(known, response.status)?.types.find(
      (type) => type.mediaType === mediaType,
    );
    if (!documented) return response;
    const { schema } = documented;
    const body = dynamic ? madeUp(schema, [ownSeed, req.method, req.url, input.body]) : response.body;
    return { ...response, body: withRequestedId(context, known, schema, input, body) };
  };

  function madeUp(schema: JsonSchema, request: unknown[]): unknown {
    const [value] = fc.sample(valuesFor(schema), { numRuns: 1, seed: numberFrom(request) });
    return value;
  }
}

/** Returns a 32-bit hash of all parts. */
const numberFrom = (parts: unknown[]): number =>
  createHash('sha256').update(JSON.stringify(parts)).digest().readInt32LE();
