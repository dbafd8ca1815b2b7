import { isObject, listOf, objectOf } from '../../lib/json-object.ts';
import { ownOf } from '../../lib/own-property.ts';
import { merge, mergeEvaluated, type Outcome, type Place } from './place.ts';
import type { Run } from './run.ts';

/** Applies the keywords that choose between schemas: `oneOf`, `anyOf`, `not`, `if`. */
export function applyAlternatives(place: Place): void {
  const { schema, value, at, run, outcome, isGuarded, fail, apply: applyTo } = place;
  if (schema.not !== undefined && applyTo(schema.not, value, at, run.branch(), isGuarded).isValid)
    fail('not');
  if (schema.if !== undefined) {
    const condition = applyTo(schema.if, value, at, run.branch(), isGuarded);
    if (condition.isValid) mergeEvaluated(outcome, condition);
    const branch = condition.isValid ? schema.then : schema.else;
    const found = branch === undefined ? undefined : applyTo(branch, value, at, run, isGuarded);
    if (found) merge(outcome, found);
    if (found?.isValid === false && run.branches === 'all')
      fail('if', { failingKeyword: condition.isValid ? 'then' : 'else' });
  }
  if (run.branches === 'meant' && isSelected(place)) return;
  if (Array.isArray(schema.anyOf)) applyBranches(place, 'anyOf', schema.anyOf);
  if (Array.isArray(schema.oneOf)) applyBranches(place, 'oneOf', schema.oneOf);
  if (run.branches !== 'meant' && outcome.isValid) isSelected(place);
}

/** Reports the violations of the branch that a discriminator selects. @returns whether there is one */
function isSelected({ schema, value, at, run, outcome, isGuarded, fail, apply: applyTo }: Place): boolean {
  const { property, branches, values } = objectOf(schema.discriminator);
  if (typeof property !== 'string' || !isObject(value) || !isObject(branches)) return false;
  const chosen = ownOf(value, property);
  if (chosen === undefined) return false;
  const name = typeof chosen === 'string' ? ownOf(branches, chosen) : undefined;
  if (typeof name !== 'string') {
    fail('enum', { allowedValues: listOf(values) }, { name: property, within: at });
    return true;
  }
  const before = run.found.length;
  const found = applyTo(run.schemaOf(name), value, at, run, isGuarded);
  merge(outcome, found);
  // If the selected branch matches, another one may match as well.
  return run.found.length > before;
}

interface Branch {
  outcome: Outcome;
  own: Run;
}

function applyBranches(place: Place, keyword: 'oneOf' | 'anyOf', schemas: readonly unknown[]): void {
  const { value, at, run, outcome, isGuarded, fail, apply: applyTo } = place;
  const branches = schemas.map((schema): Branch => {
    const own = run.branch();
    return { outcome: applyTo(schema, value, at, own, isGuarded), own };
  });
  const matching = branches.filter((branch) => branch.outcome.isValid);
  for (const branch of matching) mergeEvaluated(outcome, branch.outcome);
  if (keyword === 'anyOf' ? matching.length > 0 : matching.length === 1) return;
  const isExplained = run.branches === 'meant' && matching.length === 0;
  const meant = isExplained ? meantBranch(place, branches, schemas) : undefined;
  if (meant) {
    merge(outcome, meant.outcome);
    for (const violation of meant.own.found) run.report(violation);
    return;
  }
  for (const { own } of branches) run.reportInside(own);
  if (matching.length === 0) for (const branch of branches) mergeEvaluated(outcome, branch.outcome);
  const { property } = objectOf(place.schema.discriminator);
  // A value with the property of the discriminator has been explained already.
  if (typeof property === 'string' && isExplained) {
    if (isObject(value)) fail('required', { missingProperty: property });
    else fail('type', { type: 'object' });
  } else fail(keyword, { passingSchemas: matching.length > 0 ? matching : null });
}

/**
 * Returns the branch that a value was meant for: the only one that allows its type, or whose constant properties it has.
 */
function meantBranch(
  { schema, at, value, run }: Place,
  branches: readonly Branch[],
  schemas: readonly unknown[],
): Branch | undefined {
  if (schema.discriminator !== undefined) return undefined;
  const [only, ...others] = branches.filter(
    ({ own }) => !own.found.some(({ location, keyword }) => location === at && keyword === 'type'),
  );
  if (only && others.length === 0) return only;
  const identified = branches.filter(
    ({ own }, index) =>
      hasConstant(schemas[index], value, run, 0) &&
      !own.found.some(
        ({ location, keyword }) => location.within === at && (keyword === 'const' || keyword === 'enum'),
      ),
  );
  return identified.length === 1 ? identified[0] : undefined;
}

/** Whether an object has a property that a schema requires to be a constant, or one of few. */
function hasConstant(schema: unknown, value: unknown, run: Run, depth: number): boolean {
  if (!isObject(schema) || !isObject(value) || depth > 5) return false;
  const target = typeof schema.$ref === 'string' ? [run.schemaOf(schema.$ref)] : [];
  const own = Object.entries(objectOf(schema.properties)).some(
    ([name, inner]) => Object.hasOwn(value, name) && isObject(inner) && ('const' in inner || 'enum' in inner),
  );
  return own || [...target, ...listOf(schema.allOf)].some((part) => hasConstant(part, value, run, depth + 1));
}
