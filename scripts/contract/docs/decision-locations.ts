import { markdownCode } from '../../lib/markdown-text.ts';

/**
 * Adds a paragraph to each decision. It lists the parts of the contract that refer to the decision with `x-decision`.
 * @param markdown the page of decisions, with headings such as `## D12 · …`
 * @returns the page with the paragraphs, each at the end of its section
 */
export function addDecisionLocations(markdown: string, document: object): string {
  const locations = decisionLocations(document);
  return markdown
    .split(/^(?=## )/m)
    .map((section) => {
      const found = locations.get(/^## (D\d+) ·/.exec(section)?.[1] ?? '');
      return found ? `${section.trimEnd()}\n\n**Where.** ${[...found].join(', ')}.\n\n` : section;
    })
    .join('');
}

/** Returns the names of the parts of the contract that refer to each decision. */
function decisionLocations(document: object): Map<string, Set<string>> {
  const locations = new Map<string, Set<string>>();
  const visit = (node: unknown, path: readonly string[], name: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const own = nameOf(node, path) ?? name;
    if ('x-decision' in node && Array.isArray(node['x-decision']))
      for (const decision of node['x-decision'].map(String))
        locations.set(decision, (locations.get(decision) ?? new Set()).add(own));
    for (const [key, value] of Object.entries(node)) visit(value, [...path, key], own);
  };
  visit(document, [], 'the whole contract');
  return locations;
}

/** Returns the name of an operation, an event or a component; undefined for other nodes. */
function nameOf(node: object, path: readonly string[]): string | undefined {
  if ('operationId' in node && path[0] === 'paths') return markdownCode(String(node.operationId));
  if (path[0] === 'webhooks' && path.length === 2) return markdownCode(path[1] ?? '');
  if (path[0] === 'components' && path.length === 3) return markdownCode(`${path[1]}/${path[2]}`);
  return undefined;
}
