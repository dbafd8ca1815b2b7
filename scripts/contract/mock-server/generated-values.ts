import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { HeaderPlan } from '../../../server/contract/compiled-contract.ts';
import { writeHeaderValue } from '../../../server/validation/parameters/header-value.ts';
import { tryGenerate } from '../../testing/schema-values/arbitrary.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';
import { plausibleBody } from './plausible-body.ts';

/** Values for the schemas of a contract. Equal parts of a seed produce equal values. */
export interface GeneratedValues {
  context: SchemaContext;
  /** @throws Error if no value can be generated */
  body: (schema: JsonSchema, seed: readonly unknown[]) => unknown;
  /** Returns the text of a value that can be sent in a header; an empty one if 50 generated values cannot. */
  header: (schema: JsonSchema, style: HeaderPlan['style'], seed: readonly unknown[]) => string;
}

/** @param context of the schemas */
export function createValues(context: SchemaContext): GeneratedValues {
  return {
    context,
    body(schema, seed) {
      const sample = (each: JsonSchema, numRuns: number, depth: number) =>
        fc.sample(valuesOf(context, [each], depth), { numRuns, seed: numberFrom(seed) });
      const itemsOf = (each: JsonSchema, count: number, depth: number) =>
        tryGenerate(() => sample(each, count, depth)) ?? [];
      return plausibleBody(context, schema, sample(schema, 1, 0)[0], itemsOf);
    },
    header(schema, style, seed) {
      const made = tryGenerate(() =>
        fc.sample(valuesOf(context, [schema]), { numRuns: 50, seed: numberFrom(seed) }),
      );
      const texts = (made ?? []).map((value) => writeHeaderValue(value, style));
      const isSendable = (text: string) =>
        /^[!-~]([ -~]*[!-~])?$/.test(text) && context.acceptsHeader(schema, text, style);
      return texts.find(isSendable) ?? '';
    },
  };
}

/** Returns a 32-bit hash of all parts. */
const numberFrom = (parts: readonly unknown[]): number =>
  createHash('sha256').update(JSON.stringify(parts)).digest().readInt32LE();
