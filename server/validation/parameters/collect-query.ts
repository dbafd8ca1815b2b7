import { type FieldError, fieldOf } from '../../lib/field-error.ts';
import { InputLimitError } from '../../lib/input-limit.ts';
import { wordingOf } from '../../lib/wording.ts';
import { addToTree, type BracketTree, createTree, isItemName, namesInBrackets } from './bracket-tree.ts';
import type { ParameterPlan, QueryPlan } from './parameter-plan.ts';
import { decodeQuery } from './percent-decode.ts';
import type { Reading } from './reading.ts';
import { addEntry, maxPairs } from './source.ts';

/** The texts of a query by parameter: each list has the index of the parameter. They are not decoded. */
export interface CollectedQuery {
  /** The first text that is sent under the parameter's own name. */
  first: (string | undefined)[];
  /** All such texts, if there are several. */
  all: (string[] | undefined)[] | undefined;
  trees: (BracketTree | undefined)[] | undefined;
  /** The properties of exploded objects. */
  entries: (Map<string, string[]> | undefined)[] | undefined;
}

/**
 * Assigns the pairs of a query to the parameters. Reports those that belong to none (D15).
 * @param query not decoded
 * @throws InputLimitError if there are too many
 */
export function collectQuery(
  plan: QueryPlan,
  query: string,
  reading: Reading,
  problems: FieldError[],
): CollectedQuery {
  const found: CollectedQuery = { first: [], all: undefined, trees: undefined, entries: undefined };
  if (query === '') return found;
  const isEncoded = query.includes('%') || query.includes('+');
  let equals = -1;
  for (let start = 0, pairs = 1; start < query.length; pairs += 1) {
    if (pairs > maxPairs)
      throw new InputLimitError(`There are more than ${maxPairs} parameters or form fields.`);
    const ampersand = query.indexOf('&', start);
    const end = ampersand < 0 ? query.length : ampersand;
    // Searched again only after it was passed, so that pairs without one take linear time.
    if (equals < start) {
      equals = query.indexOf('=', start);
      if (equals < 0) equals = query.length;
    }
    const nameEnd = Math.min(equals, end);
    if (end > start) {
      const text = query.slice(Math.min(nameEnd + 1, end), end);
      const index = isEncoded ? -1 : indexAt(plan.parameters, query, start, nameEnd);
      if (index < 0 || plan.sharesNames)
        assignByName(plan, found, query.slice(start, nameEnd), text, reading, problems);
      else addText(found, index, text);
    }
    start = end + 1;
  }
  return found;
}

/** Compares without a copy of the name. Operations have few parameters. */
function indexAt(parameters: readonly ParameterPlan[], query: string, start: number, end: number): number {
  for (let index = 0; index < parameters.length; index += 1) {
    const name = parameters[index]?.name ?? '';
    if (name.length === end - start && query.startsWith(name, start)) return index;
  }
  return -1;
}

function addText(found: CollectedQuery, index: number, text: string): void {
  const first = found.first[index];
  if (first === undefined) {
    found.first[index] = text;
    return;
  }
  found.all ??= [];
  const all = found.all[index];
  if (all) all.push(text);
  else found.all[index] = [first, text];
}

function assignByName(
  plan: QueryPlan,
  found: CollectedQuery,
  encoded: string,
  text: string,
  reading: Reading,
  problems: FieldError[],
): void {
  reading.problem = undefined;
  const name = decodeQuery(encoded, reading);
  if (reading.problem !== undefined) {
    problems.push({ field: fieldOf('query', `/${name}`), message: reading.problem });
    return;
  }
  const index = indexAt(plan.parameters, name, 0, name.length);
  if (index >= 0) addText(found, index, text);
  const isCollected = collect(plan, found, name, text, index >= 0);
  if (index < 0 && !isCollected)
    problems.push({ field: fieldOf('query', `/${name}`), message: wordingOf('additionalProperties') });
}

/** Adds a text to the objects and arrays to which its name belongs. */
function collect(
  plan: QueryPlan,
  found: CollectedQuery,
  name: string,
  text: string,
  isParameter: boolean,
): boolean {
  const hasBrackets = !isParameter && plan.bracketed.length > 0 && name.includes('[');
  if (hasBrackets) {
    const owners = plan.bracketed.filter((each) => isBefore(plan.parameters[each]?.name ?? '', name));
    // An open object does not collect the names of others.
    if (owners.length > 0)
      return owners.filter((each) => addBrackets(plan, found, each, name, text)).length > 0;
  }
  const namesOf = (index: number) => plan.parameters[index]?.names;
  const declaring = plan.exploded.filter((each) => Object.hasOwn(namesOf(each)?.declared ?? {}, name));
  const open = isParameter ? [] : plan.exploded.filter((each) => namesOf(each)?.isOpen);
  const owners = declaring.length > 0 ? declaring : open;
  for (const index of owners) {
    found.entries ??= [];
    const entries = found.entries[index] ?? new Map<string, string[]>();
    found.entries[index] = entries;
    addEntry(entries, name, text);
  }
  return owners.length > 0;
}

const isBefore = (parameter: string, name: string): boolean =>
  name[parameter.length] === '[' && name.startsWith(parameter);

/** Adds a text to a tree, if the names in the brackets are possible for the parameter. */
function addBrackets(
  { parameters }: QueryPlan,
  found: CollectedQuery,
  index: number,
  name: string,
  text: string,
): boolean {
  const { name: own, brackets = [], style } = parameters[index] ?? { name: '' };
  const names = namesInBrackets(name, own.length);
  const [first] = names ?? [];
  if (!names || first === undefined) return false;
  const isProperty = brackets.includes('properties') && first !== '';
  const isItem =
    brackets.includes('items') && (style === 'deepObject' ? isItemName(first) : names.every(isItemName));
  if (!isProperty && !isItem) return false;
  found.trees ??= [];
  const tree = found.trees[index] ?? createTree();
  found.trees[index] = tree;
  addToTree(tree, names, text);
  return true;
}
