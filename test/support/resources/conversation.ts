import type { TestResource } from './resource.ts';

export const conversation: TestResource = {
  create: async (company, _word, { contact = 0 }) => (await company.conversation({ caller_id: contact })).id,
};
