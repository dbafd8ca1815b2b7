import type { TestResource } from './resource.ts';

export const contact: TestResource = {
  // The example of a search finds the last name.
  create: (company, word, { field }) =>
    company.contact({ first_name: word, last_name: 'Lindqvist', fields: [{ id: field, value: word }] }),
};
