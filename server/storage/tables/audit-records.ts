import type { Generated } from 'kysely';
import { defineTable } from './define-table.ts';

/** A command of an operator, or a change through the API (D68). The database rejects changes of these rows. */
export interface AuditRecordTable {
  id: Generated<number>;
  /** 0 for commands that concern no single company. */
  company_id: number;
  created_at: number;
  /** The operator's name, for commands. */
  operator: string | null;
  /** The token and its user, for requests. */
  token_id: number | null;
  user_id: number | null;
  /** The name of the command, or the ID of the operation. */
  action: string;
  /** The created or changed entity, for requests. */
  entity_id: number | null;
  request_id: string | null;
  /** The options of the command as JSON: only numbers and flags, because texts can contain personal data. */
  options: string | null;
}

export const auditRecords = defineTable<AuditRecordTable>()({
  parents: [],
  key: ['id'],
  isOwned: false,
  onCitus: 'local',
});
