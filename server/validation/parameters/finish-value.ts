import { copyOf, fillDefaults } from '../../contract/defaults.ts';
import { type FieldError, fieldOf } from '../../lib/field-error.ts';
import { InputLimitError } from '../../lib/input-limit.ts';
import { defineOwn } from '../../lib/own-property.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { wordingOf } from '../../lib/wording.ts';
import type { ParameterPlan } from './parameter-plan.ts';
import { readScalar } from './read-scalar.ts';
import type { Reading } from './reading.ts';

/** Receives what is read. */
export interface Found {
  reading: Reading;
  /** Receives the reasons why parameters have no value. */
  problems: FieldError[];
  /** Receives each value as soon as it is read. */
  values?: Record<string, unknown>;
}

/** Reads the values of parameters of one part of a request. */
export function readEach(
  part: ParameterPlan['in'],
  parameters: readonly ParameterPlan[],
  { reading, problems, values = {} }: Found,
  read: (parameter: ParameterPlan, index: number) => unknown,
): Record<string, unknown> {
  for (let index = 0; index < parameters.length; index += 1) {
    const parameter = parameters[index];
    if (!parameter) continue;
    reading.problem = undefined;
    const value = read(parameter, index);
    if (reading.problem !== undefined)
      problems.push({ field: fieldOf(part, `/${parameter.name}`), message: reading.problem });
    else if (value !== undefined) setOwn(values, parameter.key, value);
  }
  return values;
}

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
function setOwn(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') defineOwn(object, name, value);
  else object[name] = value;
}
