import type { ParametersPlan } from './parameter-plan.ts';
import type { Shape } from './shape.ts';

/**
 * Lists the schemas that `parseParameters` and the validation of its result may need, as JSON Pointers. A compiler emits a
 * validator for each of them.
 */
export function checksOf({ query, path, headers, cookies }: ParametersPlan): string[] {
  const found = new Set<string>();
  for (const { check, shape } of [...query.parameters, ...path, ...headers, ...cookies]) {
    if (check !== undefined) found.add(check);
    addChecks(shape, found);
  }
  return [...found];
}

function addChecks(shape: Shape, found: Set<string>): void {
  switch (shape.kind) {
    case 'scalar':
      // A single type needs no decision.
      if (shape.types.length > 1) for (const check of shape.checks) found.add(check);
      return;
    case 'union':
      for (const check of shape.checks) found.add(check);
      for (const each of shape.alternatives) addChecks(each, found);
      return;
    case 'array':
      for (const each of [shape.items, ...shape.prefix]) addChecks(each, found);
      return;
    case 'object':
      for (const each of Object.values(shape.properties)) addChecks(each, found);
      for (const [, each] of shape.patterns) addChecks(each, found);
      addChecks(shape.additional, found);
      return;
    case 'named':
      addChecks(shape.shape, found);
  }
}
