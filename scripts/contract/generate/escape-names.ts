/** A document in which no name is one that all objects inherit. */
export interface EscapedDocument {
  /** As JSON. */
  json: string;
  /** Restores the names in what is generated from the document. */
  restore: (generated: string) => string;
}

/**
 * Gives names such as `toString` a prefix, if they are keys, texts, or parts of references. openapi-typescript takes
 * such names for methods of its own objects, and calls them.
 */
export function escapeNames(document: unknown): EscapedDocument {
  const json = JSON.stringify(document);
  const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => json.includes(name));
  if (names.length === 0) return { json, restore: (generated) => generated };
  const prefix = unusedPrefix(json);
  const parts = new RegExp(`(?<=/)(?=(?:${names.join('|')})(?:/|$))`, 'g');
  const escapeName = (text: string): string => (names.includes(text) ? prefix + text : text);
  const visit = (node: unknown): unknown => {
    if (typeof node === 'string')
      return node.startsWith('#/') ? node.replaceAll(parts, prefix) : escapeName(node);
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [escapeName(name), visit(value)]));
  };
  return {
    json: JSON.stringify(visit(document)),
    restore: (generated) => generated.replaceAll(prefix, ''),
  };
}

function unusedPrefix(text: string, number = 0): string {
  const prefix = `Inherited${number}_`;
  return text.includes(prefix) ? unusedPrefix(text, number + 1) : prefix;
}
