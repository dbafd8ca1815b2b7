import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../../generated/operations.ts';
import { scopes as allScopes } from '../../../server/own-contract/scopes.ts';
import { operationIds } from './valid-requests.ts';

/** The scope that permits reading each entity: `contacts:read` for the schema `Contact`. */
const readScopes: Record<string, string> = Object.fromEntries(
  Object.keys(document.components.schemas)
    .map((name) => [name, `${name.toLowerCase()}s:read`])
    .filter(([, scope = '']) => allScopes.includes(scope)),
);

/** Returns the names of the entities in the responses of an operation. */
function entitiesIn(id: OperationId): string[] {
  const { path, method } = operations[id];
  const operation: unknown = Object.entries(document.paths).find(([key]) => path.endsWith(key))?.[1];
  const { [method]: described } = operation as Record<string, { responses: unknown } | undefined>;
  const references = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [reference] of JSON.stringify(node ?? null).matchAll(
      /#\/components\/(?:responses|schemas)\/\w+/g,
    )) {
      if (references.has(reference)) continue;
      references.add(reference);
      const [, , kind = '', name = ''] = reference.split('/');
      const components: Record<string, Record<string, unknown>> = document.components;
      visit(components[kind]?.[name]);
    }
  };
  visit(described?.responses);
  return Object.keys(readScopes)
    .filter((name) => references.has(`#/components/schemas/${name}`))
    .sort();
}

test.each(operationIds)('%s requires the read scopes of its responses, and a write scope to write', (id) => {
  const scopes = operations[id].security.flatMap(({ bearerAuth }): readonly string[] => bearerAuth);
  const missing = entitiesIn(id)
    .map((name) => readScopes[name])
    .filter((scope) => !scopes.includes(scope ?? ''));
  expect(missing, `scopes missing on ${id}, because its responses contain these entities`).toEqual([]);
  const writes = scopes.some((scope) => scope.endsWith(':write'));
  expect(writes, `whether ${id} requires a write scope`).toBe(operations[id].method !== 'get');
});
