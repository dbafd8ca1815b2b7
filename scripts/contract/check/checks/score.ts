import { runRedocly } from '../../../lib/redocly-cli.ts';
import { assertWithinLimits } from '../../load/bundle-within-limits.ts';
import { type CheckContext, type CheckReport, errorFinding } from '../check.ts';

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
