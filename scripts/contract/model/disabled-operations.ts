import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { type HttpMethod, isHttpMethod, type OpenApiDocument } from '../../lib/openapi-document.ts';
import { basePathsOf } from './base-paths.ts';

/**
 * The extension that lists the operations that were taken out of a document. Only `scripts/contract/load` writes it, so the tools
 * do not see these operations, but the middleware refuses their requests.
 */
export const disabledExtension = 'x-parley-disabled';

/** An operation that no tool can read. */
export interface DisabledOperation {
  method: HttpMethod;
  /** Path template, without the server's base path. */
  path: string;
  /** The servers of the operation or its path, if they have their own. */
  servers?: unknown;
  /** The mistake and its remedy. */
  reason: string;
}

/**
 * Returns the operations that were taken out of a document.
 * @throws Error if the list is malformed, because the requests of these operations would not be refused
 */
export function disabledOperationsOf(document: OpenApiDocument): DisabledOperation[] {
  return listOf(Reflect.get(document, disabledExtension)).map((each) => {
    const { method, path, reason, servers } = objectOf(each);
    if (typeof method === 'string' && isHttpMethod(method) && typeof path === 'string')
      return { method, path, servers, reason: String(reason) };
    throw new Error(`${disabledExtension} of the document is malformed. Load the contract again.`);
  });
}

/**
 * Returns the paths of the requests that must be refused for a disabled operation: without what no path of a request can
 * have, and with adjacent parameters as one.
 */
export function refusedPathsOf(document: OpenApiDocument, { path, servers }: DisabledOperation): Refused[] {
  const sent = path.replace(/[?#].*$/s, '').replaceAll(/(?:\{[^{}]*\}){2,}/g, '{parameters}');
  const own = listOf(servers).filter(isObject);
  return basePathsOf(own.length > 0 ? own : document.servers).map((basePath) => ({
    basePath,
    path: basePath + sent,
  }));
}

interface Refused {
  basePath: string;
  path: string;
}
