import { ownOf } from '../lib/own-property.ts';
import { type DocumentNode, isDocumentNode } from './document-node.ts';

/** Maximum number of base paths per server, because the values of its variables can be combined in many ways. */
const maxPaths = 100;

/**
 * Returns the paths under which a contract is served: those of all servers, with all values of their variables. The first
 * one has the default values. A path has no trailing slash.
 * @param servers the `servers` of a document, path or operation; without any, OpenAPI's default is the URL `/`
 */
export function basePathsOf(servers: unknown): string[] {
  const given: unknown[] = Array.isArray(servers) ? servers : [];
  const known = given.filter(isDocumentNode);
  return [...new Set((known.length > 0 ? known : [{ url: '/' }]).flatMap(pathsOf))];
}

function pathsOf({ url, variables }: DocumentNode): string[] {
  const template = String(url ?? '/');
  const names = new Set(Array.from(template.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name));
  const filled = [...names].reduce<string[]>(
    (urls, name) =>
      urls
        .flatMap((each) =>
          valuesOf(variables, name).map((value) => each.replaceAll(`{${name}}`, () => value)),
        )
        .slice(0, maxPaths),
    [template],
  );
  // A variable may be the whole URL, or a part that makes the host invalid, so the URL is not parsed.
  const paths = filled.map((each) => each.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*/i, ''));
  return paths.map((each) => `/${each}`.replace(/^\/+/, '/').replace(/\/+$/, ''));
}

function valuesOf(variables: unknown, name: string): string[] {
  const variable = isDocumentNode(variables) ? ownOf(variables, name) : undefined;
  const { default: usual, enum: listed } = isDocumentNode(variable) ? variable : {};
  const values = [usual, ...(Array.isArray(listed) ? listed : [])].filter((value) => value !== undefined);
  return values.length > 0 ? [...new Set(values.map(String))] : [''];
}
