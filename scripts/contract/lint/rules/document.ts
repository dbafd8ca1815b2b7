import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve as resolvePath } from 'node:path';
import { parse } from 'yaml';
import { entriesOf, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import type { LintRule, Location } from '../rule.ts';

/**
 * Every definition of a file that the contract refers to is used. Redocly's rule `no-unused-components` knows the root file
 * only, and a path that the root file does not name would not exist.
 */
export const noUnusedDefinitions: LintRule = () => {
  const files = new Map<string, Location['source']>();
  const used = new Set<string>();
  /** Marks what a reference names, and what it is a part of. */
  const mark = (file: string, reference: string) => {
    const [target = '', pointer = ''] = reference.split('#');
    const path = target === '' ? file : resolvePath(dirname(file), target);
    const steps = pointer.split('/').slice(1);
    used.add(`${path} #/${steps.slice(0, steps[0] === 'components' ? 3 : 2).join('/')}`);
  };
  return {
    ref(node, { resolve, location }) {
      mark(location.source.absoluteRef, String(node.$ref));
      const target = resolve(node).location?.source;
      if (target) files.set(target.absoluteRef, target);
    },
    Root: {
      leave(_root, { report, location }) {
        files.delete(location.source.absoluteRef);
        const definitions = new Map([...files.values()].flatMap(definitionsIn));
        // Redocly follows a reference that only leads to another one without visiting it.
        for (const key of used) {
          const { source, reference } = definitions.get(key) ?? {};
          if (source && reference !== undefined) mark(source.absoluteRef, reference);
        }
        for (const [key, { source, pointer }] of definitions)
          if (!used.has(key))
            report({
              message: 'Refer to this definition, or remove it: nothing uses it.',
              location: { source, pointer, reportOnKey: true },
            });
      },
    },
  };
};

interface Definition {
  source: Location['source'];
  pointer: string;
  /** The reference that the definition consists of. */
  reference: string | undefined;
}

/** Returns the paths, webhooks and components in a file, by file and pointer. Redocly reads other types of files as text. */
function definitionsIn(source: Location['source']): [key: string, definition: Definition][] {
  const { absoluteRef: file, body } = source;
  if (!/\.(ya?ml|json)$/i.test(file)) return [];
  const document = objectOf(parse(body, { uniqueKeys: false, maxAliasCount: -1 }));
  const named = (path: string, values: unknown) =>
    entriesOf(values).map(([name, value]): [string, Definition] => {
      const pointer = `#/${path}/${escapePointer(name)}`;
      const { $ref } = objectOf(value);
      return [
        `${file} ${pointer}`,
        { source, pointer, reference: typeof $ref === 'string' ? $ref : undefined },
      ];
    });
  return [
    ...['paths', 'webhooks'].flatMap((part) => named(part, document[part])),
    ...entriesOf(document.components)
      // Operations name security schemes without a reference.
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, values]) => named(`components/${escapePointer(kind)}`, values)),
  ];
}

/**
 * The decisions page describes exactly the decisions that the contract references (`x-decision`). The page is
 * `decisions.md` next to the contract's root file, with headings such as `## D12 · …`.
 */
export const decisionIdsMatch: LintRule = () => {
  const marked = new Map<string, Location>();
  return {
    any(node, { location }) {
      for (const id of listOf(node?.['x-decision']).map(String))
        if (!marked.has(id)) marked.set(id, location.child('x-decision'));
    },
    Root: {
      leave(_root, { report, location }) {
        const page = join(dirname(location.source.absoluteRef), 'decisions.md');
        const described = decisionsOn(page);
        for (const [id, where] of marked)
          if (!described.has(id))
            report({
              message: `Describe decision ${id} in ${page}: it is referenced here.`,
              location: where,
            });
        for (const id of described)
          if (!marked.has(id))
            report({
              message: `Mark decision ${id} where it applies (x-decision: [${id}]): decisions.md describes it.`,
              location: location.key(),
            });
      },
    },
  };
};

function decisionsOn(page: string): Set<string> {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  return new Set(Array.from(text.matchAll(/^## (D\d{2,})\b/gm), ([, id]) => id ?? ''));
}
