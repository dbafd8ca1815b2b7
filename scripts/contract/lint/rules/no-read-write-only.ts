import type { LintRule } from '../rule.ts';

/** Reading and writing use separate schemas (D14), because tools disagree about `readOnly` and `writeOnly`. */
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
