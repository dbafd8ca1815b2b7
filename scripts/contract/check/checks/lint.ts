import { relative } from 'node:path';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import { counted } from '../../../lib/counted.ts';
import { lintDocuments } from '../../lint/lint-documents.ts';
import { assertWithinLimits } from '../../load/bundle-within-limits.ts';
import { disabledOperationsOf } from '../../model/disabled-operations.ts';
import { type CheckContext, type CheckReport, errorFinding, type Finding } from '../check.ts';
import { findWorkflows } from '../find-workflows.ts';

/** Lints the contract and its workflows with Redocly and the rules in scripts/contract/lint. */
export async function checkLint(context: CheckContext): Promise<CheckReport> {
  const { api, config, sources, policy } = context;
  // Redocly reads files without limits.
  await assertWithinLimits(api, config);
  const workflows = await findWorkflows(api, config);
  const files = [api, ...workflows];
  const problems = await lintDocuments(files, policy.redocly).catch(async (error: unknown) => {
    // The loader describes a file that cannot be parsed with an excerpt.
    await context.contract();
    throw error;
  });
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
    findings: [...(await Promise.all(findings)), ...(await disabledOperations(context))],
    summary: `${counted(files.length, 'file')}, with all references`,
  };
}

/** Finds the operations that all tools leave out. A contract that is refused has none: the exit code says that. */
async function disabledOperations({ contract, sources }: CheckContext): Promise<Finding[]> {
  const loaded = await contract().catch(() => undefined);
  if (loaded === undefined) return [];
  const { locate } = await sources();
  const findings = disabledOperationsOf(loaded.document).map(
    async ({ method, path, reason }): Promise<Finding> =>
      errorFinding(
        'disabled-operation',
        `${method.toUpperCase()} ${path} is disabled: the tools leave it out, and the middleware refuses its requests.`,
        `Correct the mistake. ${reason}`,
        await locate(`/paths/${escapePointer(path)}/${method}`),
      ),
  );
  return Promise.all(findings);
}
