import type { OperationId } from '../generated/operations.ts';
import { checkOwnId, checkSearchQuery } from './features/contacts/rules.ts';
import { checkWebhook } from './features/webhooks/rules.ts';
import type { PipelineOptions } from './http/express/pipeline.ts';
import { checkDateRange } from './own-contract/date-range.ts';
import type { EgressPolicy } from './security/egress/policy.ts';
import type { IsAllowed } from './security/egress/url-check.ts';

/**
 * Rules that a schema cannot express and that need no stored data, by operation. The service and the mock share them.
 * @param policy which URLs webhooks may have
 * @param isAllowed whether the policy allows an IP address
 */
export const requestRulesFor = (policy: EgressPolicy, isAllowed: IsAllowed) =>
  ({
    listContacts: checkDateRange,
    searchContacts: checkSearchQuery,
    updateContact: checkOwnId,
    listConversations: checkDateRange,
    createWebhook: checkWebhook(policy, isAllowed),
    updateWebhook: checkWebhook(policy, isAllowed),
  }) satisfies { [Id in OperationId]?: NonNullable<PipelineOptions<unknown>['checks']>[string] };
