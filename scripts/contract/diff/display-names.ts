import { isObject } from '../../testing/schema-values/schema.ts';

const anonymous = (path: string): string => path.replaceAll(/\{[^}]+\}/g, '{}');

/**
 * Creates a function that writes the names of path parameters into a text. The comparison leaves them out, so
 * that a renamed parameter does not count as another path: `GET /books/{} path 0` becomes `GET /books/{isbn} path isbn`.
 * @param documents contracts whose paths occur in the texts; the first that has a path gives the names
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
