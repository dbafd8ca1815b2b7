import { isObject, listOf } from '../../../../server/lib/json-object.ts';
import type { LintRule, Location } from '../rule.ts';

/** A header that one path accepts for all its operations is accepted by all paths. Webhooks are excluded. */
export const pathHeadersEqual: LintRule = () => {
  const paths: { location: Location; headers: string[] }[] = [];
  return {
    Paths: {
      leave(_paths, { report }) {
        const all = new Set(paths.flatMap(({ headers }) => headers));
        for (const { location, headers } of paths) {
          const missing = [...all].filter((name) => !headers.includes(name)).sort();
          if (missing.length > 0)
            report({ message: `Accept the headers of the other paths: ${missing.join(', ')}.`, location });
        }
      },
      PathItem(pathItem, { location, resolve }) {
        const headers = listOf(pathItem.parameters)
          .map((parameter) => resolve(parameter, location.source.absoluteRef).node)
          .flatMap((parameter) =>
            isObject(parameter) && parameter.in === 'header' ? String(parameter.name) : [],
          );
        paths.push({ location: location.key(), headers });
      },
    },
  };
};
