import { markdownCode, markdownText } from '../../../lib/markdown-text.ts';
import type { Contract } from '../../model/contract.ts';
import type { Parameter } from '../../model/operation.ts';
import { textIn } from './nodes.ts';
import { schemaRows, typeText } from './schema-rows.ts';

/** Returns the list item of a parameter or a header. */
export const parameterItem = (
  contract: Contract,
  { name, node, required }: Pick<Parameter, 'name' | 'node' | 'required'>,
): string => item(name, typeText(contract, node.schema ?? {}), required, textIn(node, 'description'));

/** Lists the properties of a schema in Markdown, with the properties inside them as inner lists. Only requests say which are required. */
export const propertyList = (
  contract: Contract,
  schema: unknown,
  direction: 'request' | 'response',
): string =>
  schemaRows(contract, schema, direction)
    .map(({ name, depth, type, isRequired, description }) =>
      item(name, type, direction === 'request' && isRequired, description, depth),
    )
    .join('\n');

/** A description can contain lists, so it is indented below its item. */
function item(name: string, type: string, isRequired: boolean, description: string, depth = 0): string {
  const indent = '  '.repeat(depth);
  const head = `${indent}- ${markdownCode(name)} ${markdownText(type)}${isRequired ? ' **required**' : ''}`;
  if (description.trim() === '') return head;
  return `${head}\n\n${description.trim().replaceAll(/^(?=.)/gm, `${indent}  `)}\n`;
}
