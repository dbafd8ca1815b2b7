import type { TestResource } from './resource.ts';

export const webhook: TestResource = {
  create: (company, word) =>
    company.webhook({ entity_id: 2, action_id: 2, url: `https://${word}.example.com/a` }),
};
