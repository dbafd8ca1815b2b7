import { relative } from 'node:path';
import { runRedocly } from '../../redocly-cli.ts';
import type { Check, Finding } from '../check.ts';

interface Problem {
  ruleId: string;
  severity: 'error' | 'warn';
  message: string;
  suggest?: string[];
  location: { source: { ref: string }; pointer?: string }[];
}

/** Whether the contract is well-formed and follows the rules of this house, by Redocly with the rules in scripts/lint. */
export const lint: Check = {
  name: 'lint',
  asks: 'Is the contract well-formed, and does it follow the rules of redocly.yaml?',
  forAny: true,
  async run({ api, sources }) {
    const { output, errors } = await runRedocly(['lint', api, '--format', 'json', '--max-problems', '1000']);
    const { problems, totals } = reportIn<{ problems: Problem[]; totals: object }>(output, errors);
    if (!totals) throw new Error(`redocly lint told nothing: ${errors.trim()}`);
    const { locateIn } = await sources();
    const findings = problems.map(
      async ({ ruleId, severity, message, suggest = [], location: [first] }): Promise<Finding> => ({
        rule: ruleId,
        severity: severity === 'error' ? 'error' : 'warning',
        message,
        mend:
          suggest.length > 0
            ? `Did you mean ${suggest.join(', ')}?`
            : 'Change what is named here. See the rule in redocly.yaml.',
        ...(first
          ? await locateIn(relative('.', first.source.ref), (first.pointer ?? '').replace(/^#/, ''))
          : {}),
      }),
    );
    return { findings: await Promise.all(findings), summary: `${problems.length} problems` };
  },
};

function reportIn<T>(output: string, errors: string): T {
  try {
    return JSON.parse(output);
  } catch {
    throw new Error(`redocly lint told nothing that can be read: ${errors.trim() || output.slice(0, 200)}`);
  }
}
