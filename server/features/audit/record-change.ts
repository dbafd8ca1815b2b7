import type { OperationId } from '../../../generated/operations.ts';
import type { Caller } from '../../own-contract/handler.ts';
import { insertAuditRecord } from '../../storage/queries/audit-records.ts';
import type { Transaction } from '../../storage/store.ts';

/** The request that changes an entity. */
interface ChangingRequest {
  caller: Caller;
  requestId: string;
}

/**
 * Records which token changed an entity, in the transaction of the change (D68).
 * @param now milliseconds since 1970
 */
export const recordChange = (
  db: Transaction,
  { caller, requestId }: ChangingRequest,
  operation: OperationId,
  entityId: number,
  now: number,
): Promise<void> =>
  insertAuditRecord(db, {
    company_id: caller.companyId,
    created_at: now,
    token_id: caller.tokenId,
    user_id: caller.userId,
    action: operation,
    entity_id: entityId,
    request_id: requestId,
  });
