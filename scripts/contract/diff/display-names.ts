import { isObject } from '../../../server/lib/json-object.ts';

const anonymous = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

/**
 * Creates a function that inserts the names of path parameters into a text. The comparison omits these names, so that a
 * path with a renamed parameter counts as the same path. Example: `GET /books/{} path 0` becomes
 * `GET /books/{isbn} path isbn`.
 * @param documents contracts whose paths occur in the texts; the first one with a given path provides the names
 */
export function createDisplayNames(...documents: readonly object[]): (text: string) => string {
  const templates = new Map<string, string>();
  for (const document of documents)
    if ('paths' in document && isObject(document.paths))
      for (const path of Object.keys(document.paths))
        if (!templates.has(anonymous(path))) templates.set(anonymous(path), path);
  return (text) =>
    text.replace(/(\/\S*\{\}\S*)( path (\d+))?/g, (all, path: string, _parameter, index?: string) => {
      const template = templates.get(path);
      if (template === undefined) return all;
      const [, name] = [...template.matchAll(/\{([^}]+)\}/g)][Number(index ?? Number.NaN)] ?? [];
      return name === undefined ? template : `${template} path ${name}`;
    });
}
