import type { IncomingMessage } from 'node:http';
import { type Refusal, refusal } from '../errors.ts';
import type { JudgedOperation } from './operation.ts';
import { createPathTree } from './path-tree.ts';

/** Where a request has arrived: at an operation, or at the refusal to be given once its token is judged. */
export type Destination =
  | { operation: JudgedOperation; path: Record<string, unknown>; refused?: undefined }
  | { operation?: undefined; path?: undefined; refused: Refusal };

/** What stands at one path of the contract. */
interface Stop {
  byMethod: ReadonlyMap<string, JudgedOperation>;
  refused: Refusal;
}

/**
 * Leads requests to the operations of a contract. Express's own router tries one path after the other, so that its
 * time grows with the contract.
 */
export function routesOf(
  operations: readonly JudgedOperation[],
): (req: Pick<IncomingMessage, 'url' | 'method'>) => Destination {
  const tree = createPathTree<Stop>();
  for (const [path, group] of Map.groupBy(operations, (operation) => operation.path)) {
    const byMethod = new Map(group.map((operation) => [operation.method.toUpperCase(), operation]));
    const methods = [...byMethod.keys()].join(', ');
    const refused = refusal('methodNotAllowed', {
      message: `This path takes ${methods}.`,
      headers: { Allow: methods },
    });
    tree.add(path, { byMethod, refused });
  }
  const noSuchPath: Destination = { refused: refusal('noSuchPath') };
  // The pipeline says so once the token is judged.
  const malformed: Destination = { refused: refusal('malformed') };

  return ({ url = '', method = '' }) => {
    const found = tree.find(pathIn(url));
    if (!found) return noSuchPath;
    const operation = found.value.byMethod.get(method);
    if (!operation) return { refused: found.value.refused };
    const path = decoded(found.parameters);
    return path ? { operation, path } : malformed;
  };
}

function pathIn(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}

/** @returns undefined where one cannot be decoded */
function decoded(parameters: readonly (readonly [name: string, value: string])[]) {
  const path: Record<string, unknown> = {};
  try {
    for (const [name, value] of parameters)
      path[name] = value.includes('%') ? decodeURIComponent(value) : value;
    return path;
  } catch {
    return undefined;
  }
}
