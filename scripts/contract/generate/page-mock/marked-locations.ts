import { isObject } from '../../../../server/lib/json-object.ts';
import { escapePointer, unescapePointer } from '../../../../server/lib/json-text.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../../testing/schema-values/schema-context.ts';
import { isNextName } from '../../mock/cursor-page.ts';
import type { MarkedLocations } from '../../mock/mock-contract.ts';
import { isOpenEnum, openMarks } from '../../model/reader-view.ts';

/** Maximum depth of a location. Deeper ones repeat the same schemas. */
const maxDepth = 8;

/** Maximum number of schemas that are read for one response, those of shallow locations first. */
const maxSchemas = 2000;

/** The end of a location that has the code of an error. */
const codeName = /(code|type|error|reason)$/i;

/**
 * Returns the locations in values of a schema that scenarios treat in a special way.
 * @param marked whether only enumerations with a mark may get more values, or all
 * @param isError whether the values are errors, whose codes may get more values without a mark
 */
export function markedLocationsOf(
  context: SchemaContext,
  schema: JsonSchema,
  marked: boolean,
  isError = false,
): MarkedLocations {
  const found: Record<keyof MarkedLocations, Set<string>> = {
    enumerations: new Set(),
    dateTimes: new Set(),
    largeIntegers: new Set(),
    ids: new Set(),
    cursors: new Set(),
    errorCodes: new Set(),
  };
  const queue: [node: unknown, location: string, within: readonly unknown[]][] = [[schema, '', []]];
  const visit = (...item: (typeof queue)[number]) => void queue.push(item);
  for (let at = 0; at < Math.min(queue.length, maxSchemas); at += 1) {
    const [node, location, within] = queue[at] ?? [undefined, '', []];
    if (!isObject(node) || within.includes(node) || location.split('/').length > maxDepth) continue;
    const path = [...within, node];
    if (typeof node.$ref === 'string') visit(context.resolve(node.$ref), location, path);
    if (isOpen(node, marked)) found.enumerations.add(location);
    if (isError && isOpen(node, false) && codeName.test(location)) found.errorCodes.add(location);
    if (isNextName(unescapePointer(location.slice(location.lastIndexOf('/') + 1))))
      found.cursors.add(location);
    if (node.format === 'date-time') found.dateTimes.add(location);
    if (isUnlimitedInteger(node)) found.largeIntegers.add(location);
    if (node['x-id-of'] !== undefined || /(^|\/)id$|_id$|Id$/.test(location)) found.ids.add(location);
    for (const list of [node.allOf, node.anyOf, node.oneOf])
      for (const each of Array.isArray(list) ? list : []) visit(each, location, path);
    for (const each of [node.then, node.else]) visit(each, location, path);
    for (const [name, each] of Object.entries(isObject(node.properties) ? node.properties : {}))
      visit(each, `${location}/${escapePointer(name)}`, path);
    for (const each of [node.items, ...(Array.isArray(node.prefixItems) ? node.prefixItems : [])])
      visit(each, `${location}/*`, path);
  }
  // A mark in the error itself says which of its enumerations are open.
  if (found.enumerations.size > 0) found.errorCodes.clear();
  return Object.fromEntries(
    Object.entries(found)
      .filter(([, locations]) => locations.size > 0)
      .map(([kind, locations]) => [kind, [...locations]]),
  );
}

const isOpen = (node: Record<string, unknown>, marked: boolean): boolean =>
  isOpenEnum(node) || (!marked && Array.isArray(node.enum) && node.enum.length > 1);

const isUnlimitedInteger = ({ type, format, maximum, exclusiveMaximum }: Record<string, unknown>): boolean =>
  [type].flat().includes('integer') &&
  format !== 'int32' &&
  maximum === undefined &&
  exclusiveMaximum === undefined;

/** Whether a document marks the enumerations that may get more values. */
export const hasOpenMarks = (document: object): boolean =>
  openMarks.some((mark) => JSON.stringify(document).includes(`"${mark}":`));
