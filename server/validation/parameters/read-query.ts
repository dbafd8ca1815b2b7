import { wordingOf } from '../../lib/wording.ts';
import { addToTree, type BracketTree } from './bracket-tree.ts';
import { type CollectedQuery, collectQuery } from './collect-query.ts';
import { type Found, missingValue, readContent, readEach, withDefaults } from './finish-value.ts';
import { querySource } from './pairs-source.ts';
import type { ParameterPlan, QueryPlan } from './parameter-plan.ts';
import { decodeQuery } from './percent-decode.ts';
import { readScalar } from './read-scalar.ts';
import { readTree } from './read-tree.ts';
import { readValue } from './read-value.ts';
import type { Reading } from './reading.ts';

/** Stands for a parameter that is treated as if it was not sent. */
const missing = Symbol('missing');

/**
 * Reads the parameters in a query.
 * @param query not decoded, without the question mark
 */
export function readQuery(plan: QueryPlan, query: string, found: Found): Record<string, unknown> {
  const { reading, problems } = found;
  const collected = collectQuery(plan, query, reading, problems);
  return readEach('query', plan.parameters, found, (parameter, index) => {
    const read = readOne(parameter, index, collected, reading);
    return read === missing ? missingValue(parameter, reading) : read;
  });
}

function readOne(parameter: ParameterPlan, index: number, found: CollectedQuery, reading: Reading): unknown {
  const { shape, content } = parameter;
  const first = found.first[index];
  const all = found.all?.[index];
  if ((shape.kind === 'scalar' && parameter.brackets === undefined) || content !== undefined) {
    if (first === undefined) return missing;
    if (content !== undefined && shape.kind === 'array') return readItems(parameter, all ?? [first], reading);
    if (all) return failed(reading, wordingOf('repeated'));
    const text = decodeQuery(first, reading);
    if (content !== undefined) return readContent(parameter, text, reading);
    if (text === '') return readEmpty(parameter, reading);
    return shape.kind === 'scalar' ? readScalar(text, shape, reading) : text;
  }
  return readComposed(parameter, first, all, found.trees?.[index], found.entries?.[index], reading);
}

/** Reads a property of a form: JSON for each item, or for the whole list. */
function readItems(parameter: ParameterPlan, texts: readonly string[], reading: Reading): unknown {
  const items = texts.map((text) => readContent(parameter, decodeQuery(text, reading), reading));
  return items.length === 1 && Array.isArray(items[0]) ? items[0] : items;
}

function readComposed(
  parameter: ParameterPlan,
  first: string | undefined,
  all: string[] | undefined,
  tree: BracketTree | undefined,
  entries: Map<string, string[]> | undefined,
  reading: Reading,
): unknown {
  const { shape, names, style } = parameter;
  const texts = all ?? (first === undefined ? [] : [first]);
  const decode = (text: string): string => decodeQuery(text, reading);
  if (names?.isOnly && texts.length > 0 && !Object.hasOwn(names.declared, parameter.name))
    return failed(reading, wordingOf('wholeObject'));
  const isTree = tree !== undefined || (style === 'deepObject' && texts.length > 0);
  const hasNone = texts.length === 0 && !entries;
  if (hasNone && !isTree) return names?.isOpen && parameter.required ? withDefaults(parameter, {}) : missing;
  if (texts.length === 1 && first === '' && !isTree && !names?.isOnly) return readEmpty(parameter, reading);
  const value = isTree
    ? readTree(shape, treeWith(tree, texts), decode, reading)
    : readValue(shape, querySource(parameter, texts, entries, reading), reading);
  if (value !== undefined) return withDefaults(parameter, value);
  if (texts.length > 0 && (style === 'form' || texts.length > 1))
    reading.problem ??= wordingOf(texts.length > 1 ? 'repeated' : 'pairs');
  return failed(reading, wordingOf('style', { style }));
}

/** Adds the texts that are sent without brackets. */
function treeWith(tree: BracketTree | undefined, texts: readonly string[]): BracketTree {
  const whole = tree ?? { texts: [], children: undefined };
  for (const text of texts) addToTree(whole, [], text);
  return whole;
}

/** Reads an empty text, which is a value only if the schema accepts it (D15). */
function readEmpty(parameter: ParameterPlan, reading: Reading): unknown {
  const { shape, allowEmptyValue, check } = parameter;
  const isAccepted = (value: unknown): boolean => check === undefined || reading.accepts(check, value);
  if (allowEmptyValue && shape.kind === 'array' && isAccepted([])) return [];
  const value = withDefaults(
    parameter,
    readValue(shape, querySource(parameter, [''], undefined, reading), reading),
  );
  if (value !== undefined && isAccepted(value)) return value;
  return allowEmptyValue ? missing : failed(reading, wordingOf('empty'));
}

function failed(reading: Reading, message: string): undefined {
  reading.problem ??= message;
}
