import { relative } from 'node:path';
import { escapePointer } from '../../../../server/lib/json-text.ts';
import { counted } from '../../../lib/counted.ts';
import { runRedocly } from '../../../lib/redocly-cli.ts';
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

interface Score {
  agentReadiness: number;
  discoverability: number;
  subscores: Record<string, number>;
}

/** Rates the contract's usability with `redocly score`. Too many parameters or too few descriptions lower the score. */
export async function checkScore({ api, sources, config, policy }: CheckContext): Promise<CheckReport> {
  // Redocly reads files without limits.
  await assertWithinLimits(api, config);
  const { agentReadiness: score, discoverability, subscores } = await scoreOf(api);
  const { minimumScore = 0 } = policy;
  const summary = `${score} of 100 for usability, ${discoverability} for discoverability`;
  if (score >= minimumScore) return { findings: [], summary };
  const weakest = Object.entries(subscores).sort(([, a], [, b]) => a - b)[0];
  const finding = errorFinding(
    'score-too-low',
    `The score is ${score}; it must be at least ${minimumScore}.`,
    `The weakest part is ${weakest?.[0]} (${weakest?.[1].toFixed(2)} of 1). See: npx --no-install redocly score ${api} --operation-details`,
    await (await sources()).locate('/info'),
  );
  return { findings: [finding], summary };
}

async function scoreOf(api: string): Promise<Score> {
  const { output, errors } = await runRedocly(['score', api, '--format', 'json']);
  const start = output.indexOf('{');
  if (start < 0) throw new Error(`redocly score printed nothing: ${errors.trim()}`);
  const score: Score = JSON.parse(output.slice(start));
  if (typeof score.agentReadiness !== 'number') throw new Error('redocly score printed no score.');
  return score;
}
