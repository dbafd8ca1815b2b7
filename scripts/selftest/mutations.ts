import { exchangeMutations } from './mutations/exchanges.ts';
import type { Mutation } from './mutations/mutation.ts';
import { operationMutations } from './mutations/operations.ts';
import { schemaMutations } from './mutations/schemas.ts';

export const mutations: readonly Mutation[] = [
  ...operationMutations,
  ...exchangeMutations,
  ...schemaMutations,
];
