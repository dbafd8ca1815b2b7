import { operations } from '../../../generated/operations.ts';

const pathsOf = (method: string): string[] =>
  Object.values(operations)
    .filter((operation) => operation.method === method)
    .map(({ path }) => path);

/** The paths of GET operations that return a list. */
export const listPaths = pathsOf('get').filter((path) => !path.includes('{'));

/** The paths of GET operations that return one resource, without the ID at the end. */
export const resourcePaths = pathsOf('get').flatMap((path) =>
  path.endsWith('{id}') ? [path.slice(0, -'{id}'.length)] : [],
);

/** The paths of operations that create a resource. */
export const createPaths = pathsOf('post');
