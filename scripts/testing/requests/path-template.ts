/** Returns the parameter names of a path template, in order. */
export const templateNames = (template: string): string[] =>
  Array.from(template.matchAll(/\{([^}]+)\}/g), ([, name]) => name ?? '');

/** Returns the length of a template's fixed text, which measures how specific it is. */
export const fixedLength = (template: string): number => template.replace(/\{[^}]+\}/g, '').length;

/**
 * Returns a regular expression for the paths that match a template, with a capturing group per parameter.
 * @param below whether a base path may precede the path
 */
export function pathShape(template: string, below?: 'below any path'): RegExp {
  const fixed = template.split(/\{[^}]+\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${below ? '(?:/.*)?' : ''}${fixed.join('([^/]+)')}$`);
}
