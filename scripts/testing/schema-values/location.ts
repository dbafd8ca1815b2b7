/** Whether a location matches a template with `*`. */
export function matchesTemplate(location: string, template: string, orAbove?: 'or above'): boolean {
  const [steps, wanted] = [location.split('/'), template.split('/')];
  if (orAbove ? steps.length > wanted.length : steps.length !== wanted.length) return false;
  return steps.every((step, index) => wanted[index] === '*' || wanted[index] === step);
}

/** Replaces the indexes of a location by `*`. */
export const generalize = (location: string): string => location.replace(/\/\d+(?=\/|$)/g, '/*');
