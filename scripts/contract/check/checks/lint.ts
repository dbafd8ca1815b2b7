import { relative } from 'node:path';
import { lintDocuments } from '../../lint/lint-documents.ts';
import { assertWithinLimits } from '../../load/bundle-within-limits.ts';
import type { CheckContext, CheckReport, Finding } from '../check.ts';
import { findWorkflows } from '../find-workflows.ts';

/** Lints the contract and its workflows with Redocly and the rules in scripts/contract/lint. */
export async function checkLint({ api, config, sources, policy }: CheckContext): Promise<CheckReport> {
  // Redocly reads files without limits.
  await assertWithinLimits(api, config);
  const workflows = await findWorkflows(api, config);
  const files = [api, ...workflows];
  const problems = await lintDocuments(files, policy.redocly);
  const { locateIn } = await sources();
  const findings = problems.map(
    async ({ ruleId, severity, message, suggest = [], location: [first] }): Promise<Finding> => ({
      rule: ruleId,
      severity: severity === 'error' ? 'error' : 'warning',
      message,
      fix:
        suggest.length > 0
          ? `Did you mean ${suggest.join(', ')}?`
          : `Change this location. See the rule in ${policy.redocly}.`,
      ...(first
        ? await locateIn(relative('.', first.source.ref), (first.pointer ?? '').replace(/^#/, ''))
        : {}),
    }),
  );
  return {
    findings: await Promise.all(findings),
    summary: `${files.length} files and their references`,
  };
}
