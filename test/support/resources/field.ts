import type { TestResource } from './resource.ts';

export const field: TestResource = {
  create: async (company, word) => (await company.field({ name: word })).id,
};
