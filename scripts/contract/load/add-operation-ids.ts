import { deriveOperationId } from '../../../server/pipeline/operation-id.ts';
import { httpMethods, type OpenApiDocument } from '../../lib/openapi-document.ts';

/**
 * Gives an ID to each operation that has none and whose derived ID another operation already has. Tools derive the IDs of
 * all other operations without one.
 * @param document is not changed
 */
export function addOperationIds(document: OpenApiDocument): OpenApiDocument {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    httpMethods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
  const taken = new Set(operations.flatMap(({ operation }) => operation.operationId ?? []));
  const paths = { ...document.paths };
  for (const { path, method, operation } of operations) {
    if (operation.operationId !== undefined) continue;
    const derived = deriveOperationId(method, path);
    const operationId = unusedId(derived, taken);
    taken.add(operationId);
    if (operationId !== derived) paths[path] = { ...paths[path], [method]: { ...operation, operationId } };
  }
  return { ...document, ...(document.paths ? { paths } : {}) };
}

function unusedId(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted}${number}`)) number += 1;
  return `${wanted}${number}`;
}
