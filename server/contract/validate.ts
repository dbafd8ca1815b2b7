import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import document from '../../generated/openapi.json' with { type: 'json' };
import type { Problem } from '../errors.ts';
import { formats } from '../formats.ts';
import type { Schemas } from './handler.ts';

// Strict mode would refuse the contract's own words (`x-decision`, `examples`).
const ajv = new Ajv2020({ allErrors: true, strict: false, formats });
const compiled = new Map<string, ValidateFunction>();

/**
 * Holds a value against a schema of the contract, for what does not come through the pipeline.
 * @param name the schema's name under `components/schemas`
 * @returns what is wrong, each place as a JSON Pointer; nothing where the value fits
 */
export function problemsIn(name: keyof Schemas, value: unknown): Problem[] {
  let judge = compiled.get(name);
  if (!judge) {
    judge = ajv.compile({ $ref: `#/components/schemas/${name}`, components: document.components });
    compiled.set(name, judge);
  }
  if (judge(value)) return [];
  return (judge.errors ?? []).map(({ instancePath, message = 'is not allowed' }) => ({
    field: instancePath,
    message,
  }));
}
