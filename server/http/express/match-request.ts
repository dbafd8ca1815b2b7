import type { IncomingMessage } from 'node:http';
import { isPublic } from '../../contract/authorize.ts';
import type { Security } from '../../contract/compiled-contract.ts';
import { PipelineError } from '../../contract/errors.ts';
import type { CompiledOperation } from '../../contract/operation.ts';
import { createPathTree, foldTemplate } from '../../contract/path-tree.ts';
import {
  groupByPath,
  matchOf,
  methodNotAllowed,
  type RoutedOperation,
  type RouteMatch,
  securityOutside,
} from '../../contract/router.ts';
import { ownOf } from '../../lib/own-property.ts';
import { endsWith, expressPaths, isBelow, prefixesOf } from './request-paths.ts';

/** What happens to a request in an Express application. */
export type Decision =
  /** The contract is enforced: an operation, or an error for a method that its path does not have. */
  | { kind: 'enforce'; match: RouteMatch }
  /** The contract does not document the path, or `ignore` has failed. */
  | { kind: 'refuse'; error: unknown }
  /** The path exists and does not document OPTIONS. `allow` lists its methods. */
  | { kind: 'options'; allow: string }
  /** The request is left to the application. */
  | { kind: 'pass' };

export interface MatchOptions {
  /**
   * Returns whether a path is left to the application, unchecked. It gets the path with that of the mount, percent-encoded
   * and without the query.
   */
  ignore?: ((path: string) => boolean) | undefined;
}

interface Route {
  template: string;
  /** The same for the same path below another server. */
  key: string;
  byMethod: ReadonlyMap<string, RoutedOperation>;
  allow: readonly string[];
  isFolded: boolean;
}

type Found = { route: Route; parameters: readonly string[] };

/**
 * Creates a function that decides which operation of a contract a request reaches in an Express application. The
 * settings of its routers are not known, so the function matches everything that Express can: the exact spelling first,
 * then any case, with or without a trailing slash, HEAD as GET, and the path below and above the path of a mount.
 * @param hasRoutes whether routes of the application follow. If so, a path that two of them could serve is refused: the
 *   contract cannot tell which one runs. Otherwise the exact spelling decides.
 */
export function createRequestMatcher(
  operations: readonly CompiledOperation[],
  hasRoutes: boolean,
  { ignore }: MatchOptions,
): (req: IncomingMessage) => Decision {
  const security = securityOutside(operations);
  const bases = [...new Set(operations.map(({ basePath }) => basePath))];
  const servers = bases.map((base) => base.toLowerCase());
  const bareOf = ({ path, basePath }: CompiledOperation) => path.slice(basePath.length);
  const full = createFinder(operations, ({ path }) => path, hasRoutes);
  const withBase = operations.filter(({ basePath }) => basePath !== '');
  const belowMount = createFinder(withBase, bareOf, hasRoutes);
  // Handlers own only the paths of their servers. Pages of the application often have the paths `/` and `/{name}`.
  const named = withBase.filter((operation) => hasRoutes && /^\/[^/{]+(\/|$)/.test(bareOf(operation)));
  const atRoot = createFinder(named, bareOf, hasRoutes);
  const deepest = Math.max(0, ...named.map((operation) => bareOf(operation).split('/').length));

  const find = (req: IncomingMessage): Found | PipelineError | undefined => {
    const { url, whole, original, mount } = expressPaths(req);
    const isMounted = mount !== '';
    const found = isMounted ? agreeing(full(url), full(whole), hasRoutes) : full(url);
    if (found) return found;
    // Without an operation, the path of a server is usually that of a page.
    const isServer = hasRoutes && servers.includes(withoutSlash(whole.toLowerCase()));
    if (!isServer && bases.some((base) => isBelow(base, url) || isBelow(base, whole))) return notFound;
    // A mount or a proxy may have removed the path of the server.
    const bare = isMounted ? belowMount(url) : atRoot(url);
    if (bare || isServer) return bare;
    if (isMounted && bases.some((base) => endsWith(mount, base))) return notFound;
    if (prefixesOf(url, deepest).some((prefix) => atRoot(prefix) !== undefined)) return notFound;
    if (original === whole) return undefined;
    return full(original) ?? (bases.some((base) => isBelow(base, original)) ? notFound : undefined);
  };

  return (req) => {
    try {
      // Not any true value: the promise of an asynchronous function would leave every path unchecked.
      if (ignore?.(expressPaths(req).whole) === true) return { kind: 'pass' };
    } catch (error) {
      return { kind: 'refuse', error };
    }
    const found = find(req);
    if (found === undefined) return { kind: 'pass' };
    if (found instanceof PipelineError) return { kind: 'refuse', error: found };
    const { byMethod, allow } = found.route;
    const { method = '' } = req;
    const operation = byMethod.get(method) ?? (method === 'HEAD' ? byMethod.get('GET') : undefined);
    if (operation) return { kind: 'enforce', match: matchOf(operation, found.parameters) };
    if (method === 'OPTIONS') return { kind: 'options', allow: [...allow, 'OPTIONS'].join(', ') };
    return { kind: 'enforce', match: { error: methodNotAllowed(allow), security } };
  };
}

const notFound = new PipelineError('pathNotFound');
const ambiguous = new PipelineError('pathNotFound', {
  message: 'The path could be that of several operations, depending on upper and lower case and slashes.',
});

/** Returns what two readings of a path have found, if it is the same. */
function agreeing(
  one: Found | PipelineError | undefined,
  other: Found | PipelineError | undefined,
  hasRoutes: boolean,
): Found | PipelineError | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one instanceof PipelineError) return one;
  if (other instanceof PipelineError) return other;
  if (one.route.key === other.route.key || !hasRoutes) return one;
  return new PipelineError('pathNotFound', {
    message: `The path could be that of two operations, ${one.route.template} and ${other.route.template}, because the middleware is mounted below a path that the contract does not name. Add this path to the contract, for example "servers: [{ url: /api }]".`,
  });
}

/** Adds the security of GET to HEAD, because Express also calls the route of GET for HEAD. */
function withSecurityOfGet(byMethod: Route['byMethod']): Route['byMethod'] {
  const [get, head] = [byMethod.get('GET'), byMethod.get('HEAD')];
  if (!get || !head) return byMethod;
  const security = bothOf(head.operation.security, get.operation.security);
  return new Map([...byMethod, ['HEAD', { ...head, operation: { ...head.operation, security } }]]);
}

/** Returns the security that requires two. */
function bothOf(one: Security, other: Security): Security {
  if (isPublic(one)) return other;
  if (isPublic(other)) return one;
  return one.flatMap((requirement) =>
    other.map((added) => {
      const names = Object.keys({ ...requirement, ...added });
      const entries = names.map((name) => [
        name,
        [...(ownOf(requirement, name) ?? []), ...(ownOf(added, name) ?? [])],
      ]);
      return Object.fromEntries(entries);
    }),
  );
}

/** Returns a path without one trailing slash. */
const withoutSlash = (path: string): string => path.replace(/(?<=[^/])\/$/, '');

const isFoldedPath = (path: string): boolean => !path.includes('%') && path === path.toLowerCase();

/** Creates a function that finds the route of a path. @param templateOf returns the path template of an operation */
function createFinder(
  operations: readonly CompiledOperation[],
  templateOf: (operation: CompiledOperation) => string,
  hasRoutes: boolean,
): (path: string) => Found | PipelineError | undefined {
  const exactly = createPathTree<Route>();
  const loosely = createPathTree<Route[]>(true);
  const alike = new Map<string, Route[]>();
  for (const [template, documented] of groupByPath(operations, templateOf)) {
    const byMethod = hasRoutes ? withSecurityOfGet(documented) : documented;
    const methods = [...byMethod.keys()];
    const allow = methods.includes('GET') && !methods.includes('HEAD') ? [...methods, 'HEAD'] : methods;
    const key = [...byMethod].map(([method, { operation }]) => `${method} ${operation.id}`).join();
    const isFolded = foldTemplate(template) === template.replaceAll(/\{[^}]*\}/g, '{}');
    const route = { template, key, byMethod, allow, isFolded };
    exactly.add(template, route);
    const routes = alike.get(foldTemplate(template)) ?? [];
    alike.set(foldTemplate(template), routes);
    routes.push(route);
    loosely.add(template, routes);
  }
  return (path) => {
    const loose = loosely.find(path);
    const [sole] = loose?.value ?? [];
    // Usually the path and the template are in the notation that others are folded to, so they match exactly as well.
    if (loose && loose.value.length === 1 && sole?.isFolded && isFoldedPath(path))
      return { route: sole, parameters: loose.parameters };
    // Routers that are not strict ignore a trailing slash, even if they distinguish upper and lower case.
    const exact = exactly.find(path) ?? exactly.find(withoutSlash(path));
    if (exact) {
      const isSole =
        !hasRoutes || loose === undefined || loose.value.some(({ key }) => key === exact.value.key);
      return isSole ? { route: exact.value, parameters: exact.parameters } : ambiguous;
    }
    const [route, ...others] = loose?.value ?? [];
    if (!route || !loose) return undefined;
    return others.some(({ key }) => key !== route.key) ? ambiguous : { route, parameters: loose.parameters };
  };
}
