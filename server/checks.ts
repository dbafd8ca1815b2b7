import type { OperationId } from '../generated/operations.ts';
import { checkDateRange } from './contacts/rules.ts';
import type { PipelineOptions } from './pipeline/pipeline.ts';

/** Rules that a schema cannot state and that need no stored data, by operation. Server and mock keep the same. */
export const checks = {
  listContacts: checkDateRange,
} satisfies { [Id in OperationId]?: NonNullable<PipelineOptions<unknown>['checks']>[string] };
