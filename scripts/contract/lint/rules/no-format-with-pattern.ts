import type { LintRule } from '../rule.ts';

/** Prism generates values that satisfy a format or a pattern, but rarely both. */
export const noFormatWithPattern: LintRule = () => ({
  Schema(schema, { report, location }) {
    if ('format' in schema && 'pattern' in schema)
      report({
        message: 'Keep the format or the pattern, not both.',
        location: location.child('pattern').key(),
      });
  },
});
