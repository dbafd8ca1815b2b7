import { isObject } from '../../../../server/lib/json-object.ts';
import { resolvePointer } from '../../../lib/json-pointer.ts';
import { schemasIn } from '../../../testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../testing/schema-values/schema-context.ts';
import { type Comparison, forEachChange, formatValue } from '../comparison.ts';
import { areDisjoint } from '../disjoint-schemas.ts';

/** Generated clients choose a class by the discriminator, so a change can make them choose the wrong one. */
export const discriminatorChanged = (comparison: Comparison) =>
  forEachChange('discriminator-changed', ({ kind, property, path, base, revision }) => {
    if (!/\/discriminator(\/mapping\/[^/]+)?$/.test(path)) return undefined;
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (property === 'propertyName')
      return `The discriminator was ${formatValue(base?.value)} and is ${formatValue(revision?.value)}.`;
    if (kind === 'removed') {
      if (name !== 'discriminator') return `The discriminator no longer maps ${name}.`;
      // The values themselves tell apart schemas that have no value in common.
      return hasDisjointBranches(comparison.before, base?.pointer)
        ? undefined
        : 'The discriminator is removed.';
    }
    return kind === 'modified' && name !== 'discriminator'
      ? `The discriminator maps ${name} to another schema.`
      : undefined;
  })(comparison);

function hasDisjointBranches(document: object, pointer = ''): boolean {
  const schema = resolvePointer(document, pointer.slice(0, pointer.lastIndexOf('/')));
  const context = createSchemaContext(document);
  const branches = isObject(schema) ? schemasIn(schema.oneOf ?? schema.anyOf) : [];
  return (
    branches.length > 0 &&
    branches.every((one, index) =>
      branches
        .slice(index + 1)
        .every((other) => areDisjoint({ context, schema: one }, { context, schema: other })),
    )
  );
}
