import type { Schemas } from '../../own-contract/handler.ts';
import { formatTimestamp, formatTimestampOrNull } from '../../own-contract/timestamp.ts';
import type { FieldRow } from '../../storage/queries/fields.ts';

/**
 * Converts a field definition to its API representation.
 * @param value the value on a contact; null for the definition alone (D09)
 */
export function presentField(row: FieldRow, value: string | null): Schemas['CustomField'] {
  return {
    id: row.id,
    company_id: row.company_id,
    icon: row.icon,
    name: row.name,
    type: row.type,
    order: row.order,
    value,
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
    deleted_at: formatTimestampOrNull(row.deleted_at),
    is_unique: row.is_unique === 1,
  };
}
