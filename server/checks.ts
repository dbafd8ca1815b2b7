import type { OperationId } from '../generated/operations.ts';
import type { AddressPolicy } from './addresses/policy.ts';
import { checkOwnId, checkSearchQuery } from './contacts/rules.ts';
import { checkDateRange } from './contract/date-range.ts';
import type { PipelineOptions } from './pipeline/pipeline.ts';
import { checkWebhook } from './webhooks/rules.ts';

/**
 * Rules that a schema cannot state and that need no stored data, by operation. Server and mock keep the same.
 * @param policy which addresses webhooks may have
 */
export const checksFor = (policy: AddressPolicy) =>
  ({
    listContacts: checkDateRange,
    searchContacts: checkSearchQuery,
    updateContact: checkOwnId,
    listConversations: checkDateRange,
    createWebhook: checkWebhook(policy),
    updateWebhook: checkWebhook(policy),
  }) satisfies { [Id in OperationId]?: NonNullable<PipelineOptions<unknown>['checks']>[string] };
