import { readFile } from 'node:fs/promises';
import { entriesOf, listOf, objectOf } from '../../server/lib/json-object.ts';
import { escapePointer } from '../../server/lib/json-text.ts';
import { markdownTable } from '../contract/generate/document-tables.ts';
import type { Contract } from '../contract/model/contract.ts';
import { isPost } from './contract-tables.ts';

/** A part of the contract that the specification names or the contract adds. */
interface Part {
  what: string;
  pointer: string;
  decisions: readonly unknown[];
}

/** Returns the table of the operations, events, properties, parameters and headers of a contract that `openapi/specification.md` does not name. */
export async function additionsTable(contract: Contract): Promise<string> {
  const mapping = await readFile('openapi/specification.md', 'utf8');
  const named = new Set(
    Array.from(mapping.matchAll(/`(\/[^`]+)`/g), ([, pointer = '']) => expandedPointer(pointer)).flat(),
  );
  const added = partsOf(contract).filter(({ pointer }) => !named.has(pointer));
  return markdownTable(
    ['Row', 'Place in the contract'],
    added.map(({ what, pointer, decisions }) => [what, [`\`${pointer}\``, ...decisions].join(', ')]),
  );
}

/** Returns the pointers that one with names in braces stands for: `/a/b` and `/a/c` of `/a/{b,c}`. */
export function expandedPointer(pointer: string): string[] {
  const [, start, names] = /^(.*\/)\{(\w+(?:,\w+)+)\}$/.exec(pointer) ?? [];
  return names === undefined ? [pointer] : names.split(',').map((name) => `${start}${name}`);
}

function partsOf({ document, operations, webhooks }: Contract): Part[] {
  const { schemas, parameters, headers } = document.components ?? {};
  const isOfRequests = ([name]: [string, unknown]) => !name.endsWith('Payload') && !name.startsWith('Event');
  const responses = operations.map((operation) => Object.values(operation.responses).map(({ node }) => node));
  const bodies = [...new Set([...schemasIn(document.paths), ...schemasIn(responses)])];
  return [
    ...operations.map(({ id, pointer, node }) => part(`the operation \`${id}\``, pointer, node)),
    ...webhooks
      .filter(isPost)
      .map(({ path, pointer, node }) => part(`the event \`${path}\``, pointer.replace(/\/post$/, ''), node)),
    ...bodies.flatMap((name) =>
      entriesOf(objectOf(schemas?.[name]).properties).map(([property, node]) =>
        part(
          `the property \`${property}\` of \`${name}\``,
          `/components/schemas/${name}/properties/${escapePointer(property)}`,
          node,
          schemas?.[name],
        ),
      ),
    ),
    ...entriesOf(parameters)
      .filter(isOfRequests)
      .map(([name, node]) =>
        part(`the parameter \`${objectOf(node).name}\``, `/components/parameters/${name}`, node),
      ),
    ...entriesOf(headers).map(([name, node]) =>
      part(`the response header \`${name}\``, `/components/headers/${name}`, node),
    ),
  ];
}

/** @param nodes the part, and what encloses it: the first one with `x-decision` names the decisions */
const part = (what: string, pointer: string, ...nodes: unknown[]): Part => ({
  what,
  pointer,
  decisions: nodes.map((node) => listOf(objectOf(node)['x-decision'])).find(({ length }) => length > 0) ?? [],
});

/** Returns the names of the schemas that a value refers to directly. */
const schemasIn = (value: unknown): string[] =>
  Array.from(
    JSON.stringify(value ?? {}).matchAll(/"#\/components\/schemas\/([^"/]+)"/g),
    ([, name = '']) => name,
  );
