import { defineOwn, ownOf } from '../../lib/own-property.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { patternFor } from '../../lib/pattern-for.ts';
import { spend } from '../../lib/work-limit.ts';
import { readScalar } from './read-scalar.ts';
import { firstAccepted, type Reading, unnamed } from './reading.ts';
import type { ArrayShape, ObjectShape, Shape } from './shape.ts';
import type { Entries, Source } from './source.ts';

/** Reads the value of a parameter. Returns undefined if its texts do not have the form that the shape needs. */
export function readValue(given: Shape, source: Source, reading: Reading): unknown {
  spend(1);
  const shape = unnamed(given, reading);
  switch (shape.kind) {
    case 'scalar': {
      const text = source.text();
      return text === undefined ? undefined : readScalar(source.decode(text), shape, reading);
    }
    case 'any': {
      const text = source.text();
      return text === undefined ? source.items()?.map(source.decode) : source.decode(text);
    }
    case 'array': {
      const items = source.items();
      return items && readItems(shape, items, source, reading);
    }
    case 'object': {
      const entries = source.entries();
      return entries && readProperties(shape, entries, source, reading);
    }
    case 'union':
      return firstAccepted(shape.alternatives, shape.checks, reading, (each) =>
        readValue(each, source, reading),
      );
  }
}

/** Reads one text inside an array or an object. Styles do not define objects and arrays there: they are JSON. */
export function readPiece(given: Shape, text: string, decode: Source['decode'], reading: Reading): unknown {
  spend(1);
  const shape = unnamed(given, reading);
  if (shape.kind === 'scalar') return readScalar(decode(text), shape, reading);
  if (shape.kind === 'union')
    return firstAccepted(shape.alternatives, shape.checks, reading, (each) =>
      readPiece(each, text, decode, reading),
    );
  const decoded = decode(text);
  return shape.kind !== 'any' && /^[[{]/.test(decoded) ? orText(decoded) : decoded;
}

function orText(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

/** Returns the shape of an item. */
export const itemShape = ({ items, prefix }: ArrayShape, index: number): Shape => prefix[index] ?? items;

function readItems(
  shape: ArrayShape,
  texts: readonly string[],
  { decode }: Pick<Source, 'decode'>,
  reading: Reading,
): unknown[] {
  const items = texts.map((text, index) => readPiece(itemShape(shape, index), text, decode, reading));
  // Many clients send all objects of a part as one JSON array.
  const isWhole = items.length === 1 && unnamed(itemShape(shape, 0), reading).kind === 'object';
  return isWhole && Array.isArray(items[0]) ? items[0] : items;
}

function readProperties(
  shape: ObjectShape,
  entries: Entries,
  source: Source,
  reading: Reading,
): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (const [name, texts] of entries)
    defineOwn(object, name, readProperty(propertyShape(shape, name), texts, source, reading));
  return object;
}

function readProperty(given: Shape, texts: readonly string[], source: Source, reading: Reading): unknown {
  const shape = unnamed(given, reading);
  if (shape.kind === 'union')
    return firstAccepted(shape.alternatives, shape.checks, reading, (each) =>
      readProperty(each, texts, source, reading),
    );
  if (shape.kind === 'array' && source.repeatsProperties) return readItems(shape, texts, source, reading);
  const [text = ''] = texts;
  // A list of texts is no value of the shape, so that the schema rejects it.
  return texts.length === 1 ? readPiece(shape, text, source.decode, reading) : texts.map(source.decode);
}

/** Returns the shape of a property. */
export function propertyShape(shape: ObjectShape, name: string): Shape {
  const declared = ownOf(shape.properties, name);
  if (declared) return declared;
  return shape.patterns.find(([pattern]) => patternFor(pattern).test(name))?.[1] ?? shape.additional;
}
