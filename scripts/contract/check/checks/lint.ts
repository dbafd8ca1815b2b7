import { relative } from 'node:path';
import { runRedocly } from '../../../lib/redocly-cli.ts';
import { assertWithinLimits } from '../../load/bundle-within-limits.ts';
import type { CheckContext, CheckReport, Finding } from '../check.ts';
import { findWorkflows } from '../find-workflows.ts';

interface Problem {
  ruleId: string;
  severity: 'error' | 'warn';
  message: string;
  suggest?: string[];
  location: { source: { ref: string }; pointer?: string }[];
}

/** Lints the contract and its workflows with Redocly and the rules in scripts/contract/lint. */
export async function checkLint({ api, config, sources, policy }: CheckContext): Promise<CheckReport> {
  // Redocly reads files without limits.
  await assertWithinLimits(api, config);
  const workflows = await findWorkflows(api, config);
  const files = [api, ...workflows];
  const problems = await problemsIn(files, policy.redocly);
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

async function problemsIn(files: readonly string[], config: string): Promise<Problem[]> {
  const { output, errors } = await runRedocly([
    'lint',
    ...files,
    '--config',
    config,
    '--format',
    'json',
    '--max-problems',
    '1000',
  ]);
  const reports = reportsIn(output);
  // Redocly writes no report for a file that it cannot parse.
  if (reports.length !== files.length)
    throw new Error(
      `redocly lint did not report on every file: ${errors.trim() || output.trim().slice(0, 300)}`,
    );
  return reports.flatMap(({ problems }) => problems);
}

/** Parses the output of Redocly, which prints several JSON reports without a separator. */
function reportsIn(text: string): { problems: Problem[] }[] {
  try {
    return text
      .split(/(?<=^\})(?=\{)/m)
      .filter((part) => part.trim() !== '')
      .map((part) => JSON.parse(part));
  } catch {
    return [];
  }
}
