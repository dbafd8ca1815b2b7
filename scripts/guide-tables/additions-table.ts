import { readFile } from 'node:fs/promises';
import { entriesOf, listOf, objectOf } from '../../server/lib/json-object.ts';
import { escapePointer } from '../../server/lib/json-text.ts';
import { markdownTable } from '../contract/generate/document-tables.ts';
import { isHttpMethod, type OpenApiDocument } from '../lib/openapi-document.ts';

/** A part of the contract that the specification names or the contract adds. */
interface Part {
  what: string;
  pointer: string;
  decisions: readonly unknown[];
}

/** Returns the table of the operations, events, properties, parameters and headers of a contract that `openapi/specification.md` does not name. */
export async function additionsTable(document: OpenApiDocument): Promise<string> {
  const mapping = await readFile('openapi/specification.md', 'utf8');
  const named = new Set(Array.from(mapping.matchAll(/`(\/[^`]+)`/g), ([, pointer]) => pointer));
  const added = partsOf(document).filter(({ pointer }) => !named.has(pointer));
  return markdownTable(
    ['Row', 'Place in the contract'],
    added.map(({ what, pointer, decisions }) => [what, [`\`${pointer}\``, ...decisions].join(', ')]),
  );
}

function partsOf(document: OpenApiDocument): Part[] {
  const { schemas, parameters, headers } = document.components ?? {};
  const isOfRequests = ([name]: [string, unknown]) => !name.endsWith('Payload') && !name.startsWith('Event');
  const bodies = [...new Set([...schemasIn(document.paths), ...schemasIn(responsesIn(document))])];
  return [
    ...entriesOf(document.paths).flatMap(([path, item]) =>
      entriesOf(item)
        .filter(([method]) => isHttpMethod(method))
        .map(([method, node]) =>
          part(`the operation \`${objectOf(node).operationId}\``, ['paths', path, method], node),
        ),
    ),
    ...entriesOf(document.webhooks).map(([type, item]) =>
      part(`the event \`${type}\``, ['webhooks', type], objectOf(item).post),
    ),
    ...bodies.flatMap((name) =>
      entriesOf(objectOf(schemas?.[name]).properties).map(([property, node]) =>
        part(
          `the property \`${property}\` of \`${name}\``,
          ['components', 'schemas', name, 'properties', property],
          node,
          schemas?.[name],
        ),
      ),
    ),
    ...entriesOf(parameters)
      .filter(isOfRequests)
      .map(([name, node]) =>
        part(`the parameter \`${objectOf(node).name}\``, ['components', 'parameters', name], node),
      ),
    ...entriesOf(headers).map(([name, node]) =>
      part(`the response header \`${name}\``, ['components', 'headers', name], node),
    ),
  ];
}

/** @param nodes the part, and what encloses it: the first one with `x-decision` names the decisions */
const part = (what: string, path: readonly string[], ...nodes: unknown[]): Part => ({
  what,
  pointer: path.map((name) => `/${escapePointer(name)}`).join(''),
  decisions: nodes.map((node) => listOf(objectOf(node)['x-decision'])).find(({ length }) => length > 0) ?? [],
});

/** Returns the names of the components of one kind that a value refers to directly. */
const namesIn = (kind: string, value: unknown): string[] =>
  Array.from(
    JSON.stringify(value ?? {}).matchAll(new RegExp(`"#/components/${kind}/([^"/]+)"`, 'g')),
    ([, name = '']) => name,
  );

const schemasIn = (value: unknown): string[] => namesIn('schemas', value);

const responsesIn = (document: OpenApiDocument): unknown[] => {
  const responses = objectOf(objectOf(document.components).responses);
  return namesIn('responses', document.paths).map((name) => responses[name]);
};
