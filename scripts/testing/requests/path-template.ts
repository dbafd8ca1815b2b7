/** The names of the parameters in a path template, in their order. */
export const templateNames = (template: string): string[] =>
  Array.from(template.matchAll(/\{([^}]+)\}/g), ([, name]) => name ?? '');

/** How much of a template is fixed: the more, the more it says. */
export const fixedLength = (template: string): number => template.replace(/\{[^}]+\}/g, '').length;

/**
 * What paths of a template look like, with a group for each parameter.
 * @param below whether something may stand before it, as a server's base path does
 */
export function pathShape(template: string, below?: 'below any path'): RegExp {
  const fixed = template.split(/\{[^}]+\}/).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${below ? '(?:/.*)?' : ''}${fixed.join('([^/]+)')}$`);
}
