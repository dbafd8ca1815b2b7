import type { Company } from './service.ts';

/** Creates an object. @param ids the objects that it can refer to @returns its ID */
type Maker = (company: Company, word: string, ids: Readonly<Record<string, number>>) => Promise<number>;

/**
 * The makers of resources that no request creates, or whose first example tests cannot use. A maker puts a word into every text
 * of its object, and can refer to the objects of the makers before it.
 */
export const makers = {
  field: async (company, word) => (await company.field({ name: word })).id,
  // The example of a search finds the last name.
  contact: (company, word, { field }) =>
    company.contact({ first_name: word, last_name: 'Lindqvist', fields: [{ id: field, value: word }] }),
  conversation: async (company, _word, { contact = 0 }) =>
    (await company.conversation({ caller_id: contact })).id,
  webhook: (company, word) =>
    company.webhook({ entity_id: 2, action_id: 2, url: `https://${word}.example.com/a` }),
} satisfies Record<string, Maker>;
