/** Whether a place is one that a template with `*` in it means. */
export function matchesTemplate(location: string, template: string, orAbove?: 'or above'): boolean {
  const [steps, wanted] = [location.split('/'), template.split('/')];
  if (orAbove ? steps.length > wanted.length : steps.length !== wanted.length) return false;
  return steps.every((step, index) => wanted[index] === '*' || wanted[index] === step);
}

/** A place with a star for any item of a list. */
export const generalize = (location: string): string => location.replace(/\/\d+(?=\/|$)/g, '/*');
