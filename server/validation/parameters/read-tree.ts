import { defineOwn } from '../../lib/own-property.ts';
import { wordingOf } from '../../lib/wording.ts';
import { spend } from '../../lib/work-limit.ts';
import { type BracketTree, itemsOf } from './bracket-tree.ts';
import { readScalar } from './read-scalar.ts';
import { itemShape, propertyShape, readPiece } from './read-value.ts';
import { firstAccepted, type Reading, unnamed } from './reading.ts';
import { type ObjectShape, type Shape, untypedObject } from './shape.ts';
import type { Source } from './source.ts';

/** Reads a value that is sent under names with brackets. */
export function readTree(
  given: Shape,
  tree: BracketTree,
  decode: Source['decode'],
  reading: Reading,
): unknown {
  spend(1);
  const shape = unnamed(given, reading);
  const [text] = tree.texts;
  const isText = tree.children === undefined && tree.texts.length === 1 && text !== undefined;
  switch (shape.kind) {
    case 'union':
      return firstAccepted(shape.alternatives, shape.checks, reading, (each) =>
        readTree(each, tree, decode, reading),
      );
    case 'scalar':
      return isText ? readScalar(decode(text), shape, reading) : readUntyped(tree, decode, reading);
    case 'any':
      return readUntyped(tree, decode, reading);
    case 'array': {
      const items = itemsOf(tree);
      if (!items) reading.problem = wordingOf('treeItems');
      return items?.map((each, index) => readTree(itemShape(shape, index), each, decode, reading));
    }
    case 'object':
      if (isText) return readPiece(shape, text, decode, reading);
      return readProperties(shape, tree, decode, reading);
  }
}

function readProperties(
  shape: ObjectShape,
  tree: BracketTree,
  decode: Source['decode'],
  reading: Reading,
): unknown {
  if (tree.children === undefined) return tree.texts.map(decode);
  if (tree.texts.length > 0) {
    reading.problem = wordingOf('treeValue');
    return undefined;
  }
  const object: Record<string, unknown> = {};
  for (const [name, inner] of tree.children)
    defineOwn(object, name, readTree(propertyShape(shape, name), inner, decode, reading));
  return object;
}

/** Reads a value whose schema does not say what it is, or something else. */
function readUntyped(tree: BracketTree, decode: Source['decode'], reading: Reading): unknown {
  if (tree.children === undefined)
    return tree.texts.length === 1 ? decode(tree.texts[0] ?? '') : tree.texts.map(decode);
  const items = tree.children.has('') || tree.children.has('0') ? itemsOf(tree) : undefined;
  if (!items) return readProperties(untypedObject, tree, decode, reading);
  return items.map((each) => readTree({ kind: 'any' }, each, decode, reading));
}
