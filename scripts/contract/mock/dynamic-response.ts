import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { PipelineOptions } from '../../../server/pipeline/pipeline.ts';
import { responseOf } from '../../testing/conformance/check-response.ts';
import { operationsOf } from '../../testing/requests/operations.ts';
import type { Schema } from '../../testing/schema-values/schema.ts';
import { createWorld } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';
import { preferencesIn } from './prefer.ts';
import { withAskedId } from './requested-id.ts';

type Answer = PipelineOptions<unknown>['answer'];

export interface DynamicOptions {
  /** Other answers with another seed; the same ones with the same. */
  seed: number;
  /** Whether answers are made up unless the caller prefers an example, or only where he asks for it. */
  unasked: boolean;
}

/**
 * Completes what examples answer where operations succeed: with the id that was asked for, and, where that is wanted,
 * with a body made up by its schema. Refusals and headers stay the examples'. What comes of a request depends on the
 * request and the seed alone, not on what was asked before.
 * @param document a bundled contract
 * @param exemplary answers by example
 * @returns what the pipeline asks for an answer
 */
export function createDynamicAnswer(
  document: object,
  exemplary: Answer,
  { seed, unasked }: DynamicOptions,
): Answer {
  const world = createWorld(document);
  const operations = new Map(operationsOf(world).map((operation) => [operation.id, operation]));
  const values = new Map<Schema, fc.Arbitrary<unknown>>();
  const valuesFor = (schema: Schema) => {
    const known = values.get(schema) ?? valuesOf(world, [schema]);
    values.set(schema, known);
    return known;
  };

  return async (operation, input, req, ...rest) => {
    const answer = await exemplary(operation, input, req, ...rest);
    const { dynamic = unasked, exampleKey, seed: ownSeed = String(seed) } = preferencesIn(req.headers.prefer);
    const known = operations.get(operation.id);
    // An example that was asked for by name is given as it is.
    if (exampleKey !== undefined || !known || 'refused' in answer) return answer;
    if (answer.status >= 300 || answer.body === undefined) return answer;
    const { mediaType = 'application/json' } = answer;
    const documented = responseOf(known, answer.status)?.types.find((type) => type.mediaType === mediaType);
    if (!documented) return answer;
    const { schema } = documented;
    const body = dynamic ? madeUp(schema, [ownSeed, req.method, req.url, input.body]) : answer.body;
    return { ...answer, body: withAskedId(world, known, schema, input, body) };
  };

  function madeUp(schema: Schema, request: unknown[]): unknown {
    const [value] = fc.sample(valuesFor(schema), { numRuns: 1, seed: numberFrom(request) });
    return value;
  }
}

/** 32 bits that depend on every part. */
const numberFrom = (parts: unknown[]): number =>
  createHash('sha256').update(JSON.stringify(parts)).digest().readInt32LE();
