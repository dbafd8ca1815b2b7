import { entriesOf, listOf, objectOf } from '../../../../server/lib/json-object.ts';
import type { LintRule } from '../rule.ts';

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
