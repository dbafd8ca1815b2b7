import { isObject } from '../../../server/lib/json-object.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { holdsData, mapsOfNames } from './visit-objects.ts';

/** Parts of OpenAPI 3.2 that have no equivalent in 3.1, with the descriptions used in messages. */
const unsupported = {
  query: 'operations with the method QUERY',
  additionalOperations: 'operations with other methods (additionalOperations)',
  querystring: 'parameters that describe the whole query (in: querystring)',
  itemSchema: 'schemas of streamed items (itemSchema)',
  defaultMapping: 'the default of discriminators (defaultMapping)',
} as const;

/** A document after conversion to OpenAPI 3.1. */
export interface DowngradedDocument {
  document: unknown;
  /** Descriptions of the parts that were left out. */
  ignored: string[];
}

/**
 * Converts OpenAPI 3.2 to 3.1. Parts that only 3.2 has are left out.
 * @param parsed a bundled document
 */
export function downgradeDocument(parsed: object): DowngradedDocument {
  const ignored = new Set<string>();
  const leaveOut = (part: keyof typeof unsupported) => void ignored.add(unsupported[part]);
  const visit = (node: unknown, key: string): unknown => {
    if (Array.isArray(node))
      return node
        .filter((each) => {
          const isQueryString = key === 'parameters' && isObject(each) && each.in === 'querystring';
          if (isQueryString) leaveOut('querystring');
          return !isQueryString;
        })
        .map((each) => visit(each, ''));
    if (!isObject(node) || holdsData.test(key)) return node;
    const copy: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(node)) {
      if (mapsOfNames.test(key)) defineOwn(copy, name, visit(value, 'member'));
      else if (isPathItem(key) && name === 'query' && isObject(value)) leaveOut('query');
      else if (isPathItem(key) && name === 'additionalOperations') leaveOut('additionalOperations');
      else if (name === 'itemSchema' && isObject(value)) leaveOut('itemSchema');
      else if (key === 'discriminator' && name === 'defaultMapping') leaveOut('defaultMapping');
      else if (name === 'dataValue') copy.value ??= value;
      else if (name === 'style' && value === 'cookie') copy.style = 'form';
      else defineOwn(copy, name, visit(value, key === 'paths' || key === 'webhooks' ? 'path item' : name));
    }
    return copy;
  };
  const { $self: _, ...document } = asNode(visit(parsed, ''));
  return { document: { ...document, openapi: '3.1.1' }, ignored: [...ignored] };
}

const isPathItem = (key: string): boolean => key === 'path item';
const asNode = (node: unknown): Record<string, unknown> => (isObject(node) ? node : {});
