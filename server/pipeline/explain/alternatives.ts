import { escapePointer } from '../../lib/json-text.ts';
import { ownOf } from '../../lib/own-property.ts';
import type { ReportedKeyword } from '../../lib/violation.ts';
import { isDocumentNode, listOf, nodeOf } from '../document-node.ts';
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
    if (branch !== undefined) merge(outcome, applyTo(branch, value, at, run, isGuarded));
  }
  if (isSelected(place)) return;
  if (Array.isArray(schema.anyOf)) applyBranches(place, 'anyOf', schema.anyOf);
  if (Array.isArray(schema.oneOf)) applyBranches(place, 'oneOf', schema.oneOf);
}

/** Reports the violations of the branch that a discriminator selects. @returns whether there is one */
function isSelected({ schema, value, at, run, outcome, isGuarded, fail, apply: applyTo }: Place): boolean {
  const { property, branches, values } = nodeOf(schema.discriminator);
  if (typeof property !== 'string' || !isDocumentNode(value) || !isDocumentNode(branches)) return false;
  const chosen = ownOf(value, property);
  if (chosen === undefined) return false;
  const name = typeof chosen === 'string' ? ownOf(branches, chosen) : undefined;
  if (typeof name !== 'string') {
    fail('enum', { allowedValues: listOf(values) }, `${at}/${escapePointer(property)}`);
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
  found: readonly ReportedKeyword[];
}

function applyBranches(place: Place, keyword: 'oneOf' | 'anyOf', schemas: readonly unknown[]): void {
  const { value, at, run, outcome, isGuarded, fail, apply: applyTo } = place;
  const branches = schemas.map((schema): Branch => {
    const own = run.branch();
    return { outcome: applyTo(schema, value, at, own, isGuarded), found: own.found };
  });
  const matching = branches.filter((branch) => branch.outcome.isValid);
  for (const branch of matching) mergeEvaluated(outcome, branch.outcome);
  if (keyword === 'anyOf' ? matching.length > 0 : matching.length === 1) return;
  const meant = matching.length > 0 ? undefined : meantBranch(place, branches, schemas);
  if (meant) {
    merge(outcome, meant.outcome);
    for (const violation of meant.found) run.report(violation);
    return;
  }
  if (matching.length === 0) for (const branch of branches) mergeEvaluated(outcome, branch.outcome);
  const { property } = nodeOf(place.schema.discriminator);
  // A value with the property of the discriminator has been explained already.
  if (typeof property === 'string' && matching.length === 0) {
    if (isDocumentNode(value)) fail('required', { missingProperty: property });
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
    ({ found }) => !found.some(({ instancePath, keyword }) => instancePath === at && keyword === 'type'),
  );
  if (only && others.length === 0) return only;
  const identified = branches.filter(
    ({ found }, index) =>
      hasConstant(schemas[index], value, run, 0) &&
      !found.some(
        ({ instancePath, keyword }) =>
          isChildOf(instancePath, at) && (keyword === 'const' || keyword === 'enum'),
      ),
  );
  return identified.length === 1 ? identified[0] : undefined;
}

const isChildOf = (pointer: string, at: string): boolean =>
  pointer.startsWith(`${at}/`) && !pointer.slice(at.length + 1).includes('/');

/** Whether an object has a property that a schema requires to be a constant, or one of few. */
function hasConstant(schema: unknown, value: unknown, run: Run, depth: number): boolean {
  if (!isDocumentNode(schema) || !isDocumentNode(value) || depth > 5) return false;
  const target = typeof schema.$ref === 'string' ? [run.schemaOf(schema.$ref)] : [];
  const own = Object.entries(nodeOf(schema.properties)).some(
    ([name, inner]) =>
      Object.hasOwn(value, name) && isDocumentNode(inner) && ('const' in inner || 'enum' in inner),
  );
  return own || [...target, ...listOf(schema.allOf)].some((part) => hasConstant(part, value, run, depth + 1));
}
