import { runRedocly } from '../../../lib/redocly-cli.ts';
import { assertWithinLimits } from '../../load/bundle-within-limits.ts';
import { type Base, type CheckContext, type CheckReport, errorFinding, type Finding } from '../check.ts';

interface Score {
  agentReadiness: number;
  discoverability: number;
  subscores: Record<string, number>;
}

/** Rates the contract's usability with `redocly score`. Too many parameters or too few descriptions lower the score. */
export async function checkScore({
  api,
  base,
  sources,
  config: { allowOutside },
  policy: { minimumScore = 0 },
}: CheckContext): Promise<CheckReport> {
  const scoreWithinLimits = async ({ api: root, project }: Pick<Base, 'api' | 'project'>) => {
    // Redocly reads files without limits.
    await assertWithinLimits(root, { allowOutside, project });
    return scoreOf(root);
  };
  const [now, before] = await Promise.all([scoreWithinLimits({ api }), base?.().then(scoreWithinLimits)]);
  const location = await (await sources()).locate('/info');
  const weakest = Object.entries(now.subscores).sort(([, a], [, b]) => a - b)[0];
  const fix = `The weakest part is ${weakest?.[0]} (${weakest?.[1].toFixed(2)} of 1). See: npx --no-install redocly score ${api} --operation-details`;
  const { agentReadiness: score } = now;
  const findings: Finding[] = [];
  if (score < minimumScore)
    findings.push(
      errorFinding(
        'score-too-low',
        `The score is ${score}; it must be at least ${minimumScore}.`,
        fix,
        location,
      ),
    );
  if (before && score < before.agentReadiness) {
    const message = `The score decreased from ${before.agentReadiness} to ${score}.`;
    findings.push({ rule: 'score-fell', severity: 'warning', message, fix, ...location });
  }
  return {
    findings,
    summary: `${score} of 100 for usability, ${now.discoverability} for discoverability`,
  };
}

async function scoreOf(api: string): Promise<Score> {
  const { output, errors } = await runRedocly(['score', api, '--format', 'json']);
  const start = output.indexOf('{');
  if (start < 0) throw new Error(`redocly score printed nothing: ${errors.trim()}`);
  const score: Score = JSON.parse(output.slice(start));
  if (typeof score.agentReadiness !== 'number') throw new Error('redocly score printed no score.');
  return score;
}
