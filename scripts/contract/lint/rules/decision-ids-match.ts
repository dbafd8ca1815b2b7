import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listOf } from '../../../../server/lib/json-object.ts';
import type { LintRule, Location } from '../rule.ts';

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
