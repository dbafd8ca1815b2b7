import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';

/** Maximum number of base paths per server: the values of its variables can be combined in many ways. */
const maxPaths = 100;

/**
 * Returns the paths under which a contract is served: those of all servers, with all values of their variables. The first
 * one has the default values. A path has no trailing slash. A segment that is a variable without a list of values stays
 * as `{name}`, besides its default, because it can have any value.
 * @param servers the `servers` of a document, path or operation; without any, OpenAPI's default is the URL `/`
 * @throws Error if a server has too many paths, because those left out would not be recognized
 */
export function basePathsOf(servers: unknown): string[] {
  const given: unknown[] = Array.isArray(servers) ? servers : [];
  const known = given.filter(isObject);
  return [...new Set((known.length > 0 ? known : [{ url: '/' }]).flatMap(pathsOf))];
}

function pathsOf({ url, variables }: JsonObject): string[] {
  const template = String(url ?? '/').replace(/[?#].*$/s, '');
  const names = new Set(Array.from(template.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name));
  const filled = [...names].reduce<string[]>(
    (urls, name) => {
      const values = valuesOf(variables, name, template);
      if (urls.length * values.length > maxPaths)
        throw new Error(
          `The server ${template} has more than ${maxPaths} paths. Leave out the enum of a variable that is a whole segment of its path.`,
        );
      return urls.flatMap((each) => values.map((value) => each.replaceAll(`{${name}}`, () => value)));
    },
    [template],
  );
  // A variable may be the whole URL, or a part that makes the host invalid, so the URL is not parsed.
  const paths = filled.map((each) => each.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/]*/i, ''));
  return paths.map((each) => withoutDots(`/${each.trim()}`.replace(/^\/+/, '/')).replace(/\/+$/, ''));
}

/** Resolves dot segments as clients do (RFC 3986, section 5.2.4), as if the document were at the root of the host. */
function withoutDots(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split('/').slice(1))
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  return `/${segments.join('/')}`;
}

/** Returns the values with which a variable leads to different paths. @param template a URL with variables */
function valuesOf(variables: unknown, name: string, template: string): string[] {
  const variable = isObject(variables) ? ownOf(variables, name) : undefined;
  const { default: usual, enum: listed } = isObject(variable) ? variable : {};
  const host = /^((\{[^}]*\}|[a-z][a-z\d+.-]*):)?\/\/[^/]*/i.exec(template)?.[0] ?? '';
  const path = template.slice(host.length);
  const isSegment = path.startsWith('/') && path.split('/').includes(`{${name}}`);
  const others: unknown[] = Array.isArray(listed) ? listed : isSegment ? [`{${name}}`] : [];
  const given = [usual, ...others].filter((value) => value !== undefined);
  const values = given.length > 0 ? [...new Set(given.map(String))] : [''];
  const isInHost = !path.includes(`{${name}}`) && !values.some((value) => value.includes('/'));
  return isInHost ? values.slice(0, 1) : values;
}
