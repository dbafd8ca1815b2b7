/**
 * Whether a location matches a template, in which `*` stands for any one part.
 * @param orAbove also accepts locations that contain a matching location
 */
export function matchesTemplate(location: string, template: string, orAbove?: 'or above'): boolean {
  const [steps, wanted] = [location.split('/'), template.split('/')];
  if (orAbove ? steps.length > wanted.length : steps.length !== wanted.length) return false;
  return steps.every((step, index) => wanted[index] === '*' || wanted[index] === step);
}

/** Replaces the array indexes in a location with `*`. */
export const generalize = (location: string): string => location.replace(/\/\d+(?=\/|$)/g, '/*');
