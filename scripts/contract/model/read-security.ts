import { entriesOf, isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { ownOf } from '../../../server/lib/own-property.ts';
import type { OpenApiDocument, SecurityRequirement } from '../../lib/openapi-document.ts';
import type { SecurityScheme } from './operation.ts';
import type { References } from './references.ts';

/** Returns a list of security requirements. A request needs all schemes of one requirement. */
export const requirementsOf = (given: unknown): SecurityRequirement[] =>
  listOf(given)
    .filter(isObject)
    .map((requirement) =>
      Object.fromEntries(
        Object.entries(requirement).map(([name, scopes]) => [name, listOf(scopes).map(String)]),
      ),
    );

/** Returns the schemes of each requirement. Empty if one of the requirements is empty, because it always holds. */
export function schemesOf(
  references: References,
  { components }: OpenApiDocument,
  requirements: readonly SecurityRequirement[],
): SecurityScheme[][] {
  const schemes = objectOf(components?.securitySchemes);
  const alternatives = requirements.map((requirement) =>
    entriesOf(requirement).map(([name]) => {
      const { node } = references.follow(ownOf(schemes, name));
      const scheme = textOf(node.scheme)?.toLowerCase();
      return {
        ...{ type: textOf(node.type) ?? '', in: textOf(node.in), name: textOf(node.name) },
        ...(scheme === undefined ? {} : { scheme }),
      };
    }),
  );
  return alternatives.some((alternative) => alternative.length === 0) ? [] : alternatives;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
