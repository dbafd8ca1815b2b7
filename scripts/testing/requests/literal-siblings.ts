/**
 * Finds the texts that a path parameter cannot have, because another path has them in its place and is therefore chosen:
 * with `/users/{id}` and `/users/me`, the ID cannot be `me` (OpenAPI 3.1, section 4.8.8.2).
 * @param templates all path templates of a document
 * @returns a function that returns these texts for a parameter of a template
 */
export function literalSiblings(
  templates: readonly string[],
): (template: string, parameter: string) => readonly string[] {
  const literals = templates.flatMap((template) =>
    segmentsOf(template).flatMap((segment, at) =>
      segment.includes('{') ? [] : { segment, rest: restOf(template, at) },
    ),
  );
  const byRest = Map.groupBy(literals, ({ rest }) => rest);
  return (template, parameter) => {
    const at = segmentsOf(template).indexOf(`{${parameter}}`);
    return at === -1 ? [] : (byRest.get(restOf(template, at)) ?? []).map(({ segment }) => segment);
  };
}

const segmentsOf = (template: string): string[] => template.split('/');

/** Returns a template without one segment and without the names of its parameters. */
const restOf = (template: string, without: number): string =>
  segmentsOf(template)
    .map((segment, at) => (at === without ? '*' : segment.replaceAll(/\{[^}]*\}/g, '{}')))
    .join('/');
