import { escapePointer } from '../../../../server/lib/json-text.ts';
import { isObject, type JsonSchema } from '../../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../../testing/schema-values/schema-context.ts';
import type { MarkedPlaces } from '../../page-mock/compiled-contract.ts';

/** The marks of enumerations that may get more values. */
const openMarks = ['x-open-enum', 'x-extensible-enum'];

/** Maximum depth of a place. Deeper ones repeat the same schemas. */
const maxDepth = 8;

type Kind = keyof MarkedPlaces;

/**
 * Returns the places in values of a schema that scenarios treat in a special way.
 * @param marked whether only enumerations with a mark may get more values, or all
 */
export function markedPlacesOf(context: SchemaContext, schema: JsonSchema, marked: boolean): MarkedPlaces {
  const found: Record<Kind, Set<string>> = { enumerations: new Set(), dateTimes: new Set(), ids: new Set() };
  const visit = (node: unknown, place: string, within: readonly unknown[]): void => {
    if (!isObject(node) || within.includes(node) || place.split('/').length > maxDepth) return;
    const path = [...within, node];
    if (typeof node.$ref === 'string') visit(context.resolve(node.$ref), place, path);
    if (isOpen(node, marked)) found.enumerations.add(place);
    if (node.format === 'date-time') found.dateTimes.add(place);
    if (node['x-id-of'] !== undefined || /(^|\/)id$|_id$|Id$/.test(place)) found.ids.add(place);
    for (const list of [node.allOf, node.anyOf, node.oneOf])
      for (const each of Array.isArray(list) ? list : []) visit(each, place, path);
    for (const each of [node.then, node.else]) visit(each, place, path);
    for (const [name, each] of Object.entries(isObject(node.properties) ? node.properties : {}))
      visit(each, `${place}/${escapePointer(name)}`, path);
    for (const each of [node.items, ...(Array.isArray(node.prefixItems) ? node.prefixItems : [])])
      visit(each, `${place}/*`, path);
  };
  visit(schema, '', []);
  return Object.fromEntries(
    Object.entries(found)
      .filter(([, places]) => places.size > 0)
      .map(([kind, places]) => [kind, [...places]]),
  );
}

const isOpen = (node: Record<string, unknown>, marked: boolean): boolean =>
  openMarks.some((mark) => node[mark] !== undefined && node[mark] !== false) ||
  (!marked && Array.isArray(node.enum) && node.enum.length > 1);

/** Whether a document marks the enumerations that may get more values. */
export const hasOpenMarks = (document: object): boolean =>
  openMarks.some((mark) => JSON.stringify(document).includes(`"${mark}":`));
