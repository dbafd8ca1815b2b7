import { parse } from 'yaml';
import { entriesOf, objectOf } from '../../../../server/lib/json-object.ts';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import type { LintRule, Location } from '../rule.ts';

/**
 * Every definition of a file that the contract refers to is used. Redocly's rule `no-unused-components` knows the root file
 * only, and a path that the root file does not name would not exist.
 */
export const noUnusedDefinitions: LintRule = () => {
  const files = new Map<string, Location['source']>();
  const used = new Set<string>();
  return {
    ref(node, { resolve }) {
      const { location } = resolve(node);
      if (!location) return;
      files.set(location.source.absoluteRef, location.source);
      used.add(`${location.source.absoluteRef} ${location.pointer}`);
    },
    Root: {
      leave(_root, { report, location }) {
        files.delete(location.source.absoluteRef);
        for (const [file, source] of files)
          for (const pointer of definitionsIn(source.body))
            if (!used.has(`${file} ${pointer}`))
              report({
                message: 'Refer to this definition, or remove it: nothing uses it.',
                location: { source, pointer, reportOnKey: true },
              });
      },
    },
  };
};

/** Returns the pointers of the paths, webhooks and components in a file. */
function definitionsIn(text: string): string[] {
  const document = objectOf(parse(text, { uniqueKeys: false, maxAliasCount: -1 }));
  const named = (path: string, values: unknown) =>
    entriesOf(values).map(([name]) => `#/${path}/${escapePointer(name)}`);
  return [
    ...['paths', 'webhooks'].flatMap((part) => named(part, document[part])),
    ...entriesOf(document.components).flatMap(([kind, values]) =>
      named(`components/${escapePointer(kind)}`, values),
    ),
  ];
}
