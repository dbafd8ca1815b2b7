/** Returns the parameter names of a path template, in order. */
export const templateNames = (template: string): string[] =>
  Array.from(template.matchAll(/\{([^}]+)\}/g), ([, name]) => name ?? '');

/** Returns the length of a template's fixed text, which measures how specific it is. */
export const fixedLength = (template: string): number => template.replace(/\{[^}]+\}/g, '').length;

/**
 * Returns a pattern for paths of a template, with a group per parameter.
 * @param below whether a base path may precede it
 */
export function pathShape(template: string, below?: 'below any path'): RegExp {
  const fixed = template.split(/\{[^}]+\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${below ? '(?:/.*)?' : ''}${fixed.join('([^/]+)')}$`);
}
