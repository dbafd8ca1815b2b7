import { listOf, objectOf } from '../../../../server/lib/json-object.ts';
import type { LintRule } from '../rule.ts';

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
