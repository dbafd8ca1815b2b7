import { objectOf } from '../../../../server/lib/json-object.ts';
import type { LintRule } from '../rule.ts';

/** The mock returns examples. If one is missing, Prism generates a value that may be invalid. */
export const responseExamplesRequired: LintRule = () => ({
  Response: {
    MediaType(media, { report, location }) {
      if (media.example !== undefined || Object.keys(objectOf(media.examples)).length > 0) return;
      report({ message: 'Add an example to this response.', location: location.key() });
    },
  },
});
