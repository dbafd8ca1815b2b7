import { createHash } from 'node:crypto';
import type { FieldError } from '../../lib/field-error.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import type { FieldRow } from '../../storage/queries/fields.ts';
import { canonicalValue } from './canonical-value.ts';

/** A valid value, and its index in the request. */
export interface AcceptedValue {
  index: number;
  fieldId: number;
  value: string;
  /** SHA-256 of the key that unique values are compared by; null if the field is not unique (D08). */
  uniqueDigest: Uint8Array | null;
}

/** Splits the values of a request into valid ones and errors (D07, D13). */
export function acceptValues(
  definitions: readonly FieldRow[],
  given: readonly Schemas['ContactFieldValue'][],
): { accepted: AcceptedValue[]; problems: FieldError[] } {
  const byId = new Map(definitions.map((definition) => [definition.id, definition]));
  const seen = new Set<number>();
  const accepted: AcceptedValue[] = [];
  const problems: FieldError[] = [];

  for (const [index, { id, value }] of given.entries()) {
    const definition = byId.get(id);
    const twice = seen.has(id);
    seen.add(id);
    if (!definition)
      problems.push({ field: `/fields/${index}/id`, message: 'is not a custom field of this company' });
    else if (twice) problems.push({ field: `/fields/${index}/id`, message: 'is repeated' });
    else if (value !== null) {
      const canonical = canonicalValue(definition.type, value);
      if (canonical.wrong !== undefined)
        problems.push({ field: `/fields/${index}/value`, message: canonical.wrong });
      else
        accepted.push({
          index,
          fieldId: id,
          value: canonical.value,
          uniqueDigest: definition.is_unique ? uniqueDigest(canonical.key) : null,
        });
    }
  }
  return { accepted, problems };
}

/** Values can be longer than an index entry, so the index holds their digest. */
export const uniqueDigest = (key: string): Uint8Array => createHash('sha256').update(key).digest();
