import { copyOf, fillDefaults } from '../../contract/defaults.ts';
import { InputLimitError } from '../../lib/input-limit.ts';
import { defineOwn } from '../../lib/own-property.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { wordingOf } from '../../lib/wording.ts';
import type { ParameterPlan } from './parameter-plan.ts';
import { readScalar } from './read-scalar.ts';
import type { Reading } from './reading.ts';

/** Returns the default of a missing parameter; undefined if it has none. A required one must be sent. */
export function missingValue(parameter: ParameterPlan, reading: Reading): unknown {
  if (parameter.required) reading.problem ??= wordingOf('required');
  return parameter.default === undefined ? undefined : withDefaults(parameter, copyOf(parameter.default));
}

/** Fills the defaults of missing properties into a value. */
export function withDefaults({ defaults }: ParameterPlan, value: unknown): unknown {
  if (defaults) fillDefaults(defaults, value);
  return value;
}

/**
 * Reads a parameter that is described with `content`.
 * @param text decoded
 */
export function readContent(parameter: ParameterPlan, text: string, reading: Reading): unknown {
  const { content, shape } = parameter;
  if (content === 'text') return shape.kind === 'scalar' ? readScalar(text, shape, reading) : text;
  try {
    return withDefaults(parameter, parseJson(text));
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof InputLimitError)) throw error;
    reading.problem ??= wordingOf(error instanceof InputLimitError ? 'depth' : 'json');
    return undefined;
  }
}

/** Sets an own property. The name `__proto__` would set the prototype, and all others are faster without a definition. */
export function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') defineOwn(object, name, value);
  else object[name] = value;
}
