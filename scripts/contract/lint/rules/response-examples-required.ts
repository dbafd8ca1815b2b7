import { objectOf } from '../../../../server/lib/json-object.ts';
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
