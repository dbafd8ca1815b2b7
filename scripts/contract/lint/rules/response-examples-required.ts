import { keysOf, type LintRule } from '../rule.ts';

/** The mock answers with examples; where there is none Prism invents a value that breaks the schema. */
export const responseExamplesRequired: LintRule = () => ({
  Response: {
    MediaType(media, { report, location }) {
      if (media.example !== undefined || keysOf(media.examples).length > 0) return;
      report({ message: 'Give this answer an example.', location: location.key() });
    },
  },
});
