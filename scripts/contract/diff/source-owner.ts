import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { pointerTokens, resolvePointer } from '../../lib/json-pointer.ts';
import { canonicalJson } from '../../testing/schema-values/schema.ts';
import { createReferences } from '../model/references.ts';

/** The shared schema and the property that contain a part of a contract. */
export interface SourceOwner {
  /** Undefined if no shared schema contains the part. */
  schema: string | undefined;
  /** The innermost property of the schema that leads to the part. */
  property: string | undefined;
}

interface Found extends SourceOwner {
  pointer: string;
  /** Number of tokens that do not exist. */
  left: number;
}

/**
 * Finds the owner of a part by its pointer in the normalized contract. Normalization merges `allOf`, so a property can
 * come from another schema than the pointer says. If several members have the property, the one that differs between the
 * versions is the owner.
 * @param document the version that the pointer belongs to, before normalization
 * @param other the other version
 */
export function sourceOwnerOf(document: object, other: object, pointer: string): SourceOwner {
  const all = find(document, pointerTokens(pointer), {
    node: document,
    pointer: '',
    schema: undefined,
    property: undefined,
  });
  const least = Math.min(...all.map(({ left }) => left));
  const nearest = all.filter(({ left }) => left === least);
  const textOf = (root: object, at: string) => canonicalJson(resolvePointer(root, at) ?? null);
  const changed = nearest.find(({ pointer: at }) => textOf(document, at) !== textOf(other, at));
  const { schema, property } = changed ?? nearest[0] ?? { schema: undefined, property: undefined };
  return { schema, property };
}

interface At extends SourceOwner {
  node: unknown;
  pointer: string;
}

function find(document: object, tokens: readonly string[], start: At, depth = 0): Found[] {
  const [token, ...rest] = tokens;
  const ended: Found = { ...start, left: tokens.length };
  // A reference at the end is the part itself.
  if (token === undefined || depth > 100) return [ended];
  const at = followOwner(document, start);
  const { node, pointer } = at;
  if (typeof node !== 'object' || node === null) return [ended];
  const inside = Reflect.get(node, token);
  const found = inside === undefined ? [] : find(document, rest, enter(at, token, inside), depth + 1);
  const parts = isObject(node) && Array.isArray(node.allOf) ? node.allOf : [];
  for (const [index, part] of parts.entries())
    found.push(
      ...find(document, tokens, { ...at, node: part, pointer: `${pointer}/allOf/${index}` }, depth + 1),
    );
  return found.length > 0 ? found : [ended];
}

function enter({ pointer, schema, property }: At, token: string, node: unknown): At {
  const inside = `${pointer}/${escapePointer(token)}`;
  if (pointer === '/components/schemas') return { node, pointer: inside, schema: token, property: undefined };
  return { node, pointer: inside, schema, property: pointer.endsWith('/properties') ? token : property };
}

function followOwner(document: object, start: At): At {
  const { follow } = createReferences(document);
  const { node, pointer } = isObject(start.node) ? follow(start.node, start.pointer) : start;
  const [, name] = (pointer !== start.pointer && /^\/components\/schemas\/([^/]+)$/.exec(pointer)) || [];
  return name === undefined
    ? { ...start, node, pointer }
    : { node, pointer, schema: name, property: undefined };
}
