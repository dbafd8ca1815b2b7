import type { OperationId } from '../generated/operations.ts';
import { checkOwnId, checkSearchQuery } from './features/contacts/rules.ts';
import { checkWebhook } from './features/webhooks/rules.ts';
import type { PipelineOptions } from './http/express/pipeline.ts';
import { checkDateRange } from './own-contract/pagination.ts';
import type { EgressPolicy } from './security/egress/policy.ts';

/**
 * Rules that a schema cannot express and that need no stored data, by operation. The service and the mock share them.
 * @param policy which URLs webhooks may have
 */
export const requestRulesFor = (policy: EgressPolicy) =>
  ({
    listContacts: checkDateRange,
    searchContacts: checkSearchQuery,
    updateContact: checkOwnId,
    listConversations: checkDateRange,
    createWebhook: checkWebhook(policy),
    updateWebhook: checkWebhook(policy),
  }) satisfies { [Id in OperationId]?: NonNullable<PipelineOptions<unknown>['checks']>[string] };
