import { entriesOf, isObject, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import type { LintRule } from '../rule.ts';

/** The mock returns examples. If one is missing, it generates a value, which tells a reader little. */
export const responseExamplesRequired: LintRule = () => ({
  Response: {
    MediaType(media, { report, location }) {
      if (media.example !== undefined || Object.keys(objectOf(media.examples)).length > 0) return;
      report({ message: 'Add an example to this response.', location: location.key() });
    },
  },
});

/** The response of a list, an operation that takes a page, has links to the other pages. */
export const listLinksRequired: LintRule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, { report, location, resolve, key }) {
        const isList =
          key === 'get' &&
          listOf(operation.parameters).some((given) => objectOf(resolve(given).node).name === 'page');
        const response = resolve(objectOf(operation.responses)['200']).node;
        if (isList && !('Link' in objectOf(objectOf(response).headers)))
          report({
            message: 'A list operation needs the response header Link. Add it to the response 200.',
            location: location.child('responses').key(),
          });
      },
    },
  },
});

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

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/**
 * Deprecated parts state when they were deprecated and when they will be removed, because the service sends both
 * dates.
 */
export const deprecationDatesRequired: LintRule = () => ({
  any(node, { report, location }) {
    const [since, sunset] = [node?.['x-deprecated-since'], node?.['x-sunset']];
    if (node?.deprecated !== true) {
      if (since !== undefined || sunset !== undefined)
        report({ message: 'Add deprecated: true to the deprecation dates.', location: location.key() });
      return;
    }
    const where = location.child('deprecated').key();
    for (const [word, value] of Object.entries({ 'x-deprecated-since': since, 'x-sunset': sunset }))
      if (typeof value !== 'string' || !day.test(value))
        report({ message: `Add ${word} to deprecated, such as '2027-01-31'.`, location: where });
    if (typeof since === 'string' && typeof sunset === 'string' && since >= sunset)
      report({ message: 'x-sunset must be later than x-deprecated-since.', location: where });
  },
});

/** Every operation that needs a token also needs a scope. Without a scope, any token could call the operation. */
export const scopesRequired: LintRule = () => {
  let defaultSecurity: unknown;
  return {
    Root: {
      enter(root) {
        defaultSecurity = root.security;
      },
    },
    Paths: {
      Operation(operation, { report, location }) {
        const alternatives = listOf(operation.security ?? defaultSecurity).filter(isObject);
        const isOpen = alternatives.some((schemes) => {
          const scopes = Object.values(schemes);
          return scopes.length > 0 && scopes.flat().length === 0;
        });
        if (!isOpen) return;
        report({
          message: `List the scopes that ${operation.operationId ?? 'this operation'} needs under security, such as bearerAuth: ['contacts:read'].`,
          location: operation.security === undefined ? location.key() : location.child('security'),
        });
      },
    },
  };
};

const always = ['400', '401', '403', '422', '429', '500', '503'];

/** Operations document all error responses that can occur, and an example of each code of their rules (`x-rules`). Webhooks are excluded. */
export const errorResponsesDocumented: LintRule = () => ({
  Paths: {
    PathItem: {
      Operation(operation, { report, location, resolve, key }, { PathItem: pathItem }) {
        // An overridden parameter has the same name and location, so the lists need not be merged.
        const parameters = [pathItem, operation]
          .flatMap((around) => listOf(around?.parameters))
          .map((given) => objectOf(resolve(given).node));
        const takes = (location: string, name?: string) =>
          parameters.some(
            (parameter) => parameter.in === location && (name === undefined || parameter.name === name),
          );
        const expected = [
          ...always,
          ...(takes('path') ? ['404'] : []),
          ...(key === 'post' ? ['409'] : []),
          ...(takes('header', 'If-Match') ? ['412'] : []),
          ...(operation.requestBody ? ['413', '415'] : []),
        ];
        const documented = Object.keys(objectOf(operation.responses));
        const missing = expected.filter((status) => !documented.includes(status)).sort();
        if (missing.length > 0)
          report({
            message: `Document the error responses of this operation: ${missing.join(', ')}.`,
            location: location.child('responses').key(),
          });
        const codes = entriesOf(operation.responses).flatMap(([, given]) => {
          const { node, location: place } = resolve(given);
          return entriesOf(objectOf(node).content).flatMap(([, media]) =>
            entriesOf(objectOf(media).examples).map(([, example]) => {
              const { value } = objectOf(resolve(example, place?.source.absoluteRef).node);
              return objectOf(value).code;
            }),
          );
        });
        for (const { code, rule } of [...parameters, operation]
          .flatMap((each) => listOf(each['x-rules']))
          .map(objectOf))
          if (code !== undefined && !codes.includes(code))
            report({
              message: `Add an example with the code ${code} to an error response of this operation: ${rule}`,
              location: location.child('responses').key(),
            });
      },
    },
  },
});
