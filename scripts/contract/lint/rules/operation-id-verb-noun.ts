import type { LintRule } from '../rule.ts';

const verbs: Record<string, string[]> = {
  get: ['list', 'get', 'search'],
  post: ['create'],
  put: ['update'],
  patch: ['update'],
  delete: ['delete'],
};

/**
 * Operation IDs consist of a verb and a noun: `listContacts`, `createMessage`. Webhooks are named after their
 * event.
 */
export const operationIdVerbNoun: LintRule = () => ({
  Paths: {
    Operation(operation, { report, location, key }) {
      const allowed = verbs[String(key)] ?? ['get'];
      const [, verb = ''] = /^([a-z]+)[A-Z][A-Za-z0-9]+$/.exec(String(operation.operationId)) ?? [];
      if (allowed.includes(verb)) return;
      report({
        message: `Name this operation by a verb (${allowed.join(', ')}) and a noun, such as ${allowed[0]}Contacts.`,
        location: location.child('operationId'),
      });
    },
  },
});
