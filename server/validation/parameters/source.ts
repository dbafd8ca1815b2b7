import { InputLimitError } from '../../lib/input-limit.ts';

/** Maximum number of parameters of a query, of fields or parts of a form, and of values of a parameter. */
export const maxPairs = 5_000;

/** The texts of a parameter, split by its style but not decoded. A method returns undefined if the style does not fit. */
export interface Source {
  /** The text of a single value. */
  text(): string | undefined;
  /** The texts of the items of an array. */
  items(): readonly string[] | undefined;
  /** The texts of an object's properties, by decoded name. */
  entries(): Entries | undefined;
  decode(text: string): string;
  /** Whether a property that is an array is sent as one text per item. */
  repeatsProperties: boolean;
}

export type Entries = ReadonlyMap<string, readonly string[]>;

/** Splits a text. @throws InputLimitError if it has too many parts */
export function split(text: string, delimiter: string): string[] {
  const parts = text.split(delimiter, maxPairs + 1);
  if (parts.length > maxPairs) throw new InputLimitError(`A parameter has more than ${maxPairs} values.`);
  return parts;
}

/**
 * Reads `R=100`, `G=200` as the properties of an object.
 * @param isEmptyBare whether an empty value has no equals sign: `R`
 */
export function entriesOfPairs(
  pairs: readonly string[] | undefined,
  decode: Source['decode'],
  isEmptyBare = false,
): Entries | undefined {
  const entries = new Map<string, string[]>();
  for (const pair of pairs ?? []) {
    const mark = pair.indexOf('=');
    if (mark < 0 && !isEmptyBare) return undefined;
    addEntry(entries, decode(mark < 0 ? pair : pair.slice(0, mark)), mark < 0 ? '' : pair.slice(mark + 1));
  }
  return pairs && entries;
}

/** Reads `R`, `100`, `G`, `200` as the properties of an object. */
export function entriesOfList(
  list: readonly string[] | undefined,
  decode: Source['decode'],
): Entries | undefined {
  if (!list || list.length % 2 === 1) return undefined;
  const entries = new Map<string, string[]>();
  for (let at = 0; at < list.length; at += 2) addEntry(entries, decode(list[at] ?? ''), list[at + 1] ?? '');
  return entries;
}

/** Adds a value to a list in a map of lists. */
export function addEntry<Value>(entries: Map<string, Value[]>, name: string, value: Value): void {
  const known = entries.get(name);
  if (known) known.push(value);
  else entries.set(name, [value]);
}
