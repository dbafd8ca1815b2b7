import type { LintRule } from '../rule.ts';

/** Reading and writing have separate schemas (D14), because tools disagree on these keywords. */
export const noReadWriteOnly: LintRule = () => ({
  Schema(schema, { report, location }) {
    for (const keyword of ['readOnly', 'writeOnly'])
      if (keyword in schema)
        report({
          message: `Write two schemas instead of ${keyword}.`,
          location: location.child(keyword).key(),
        });
  },
});
