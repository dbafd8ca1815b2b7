import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inTemporaryFolder } from '../../../lib/folders.ts';
import { runRedocly } from '../../../lib/redocly-cli.ts';
import { type CheckContext, type CheckReport, errorFinding, type Finding } from '../check.ts';
import { findWorkflows } from '../find-workflows.ts';

interface StepCheck {
  name: string;
  message: string;
  status: string;
}

interface Report {
  files: Record<
    string,
    {
      executedWorkflows: {
        workflowId: string;
        executedSteps: { stepId: string; checks?: StepCheck[] }[];
      }[];
    }
  >;
}

/** Runs the contract's client workflows from end to end against the service, with `redocly respect`. */
export async function checkWorkflows({ api, config, service }: CheckContext): Promise<CheckReport> {
  const files = await findWorkflows(api, config);
  if (files.length === 0) throw new Error(`There is no workflow in ${join(dirname(api), 'workflows')}.`);
  const { base, token } = await service();
  return inTemporaryFolder(async (folder) => {
    const report = join(folder, 'report.json');
    const { code, errors, output } = await runRedocly(
      [
        'respect',
        ...files,
        '--server',
        `parley=${base}`,
        '--json-output',
        report,
        '--execution-timeout',
        '30000',
      ],
      { REDOCLY_CLI_RESPECT_INPUT: JSON.stringify({ token }), MAY_CONNECT_TO: new URL(base).host },
    );
    const text = await readFile(report, 'utf8').catch(() => {
      throw new Error(`redocly respect printed nothing: ${(errors || output).trim().slice(-300)}`);
    });
    const printed: Report = JSON.parse(text);
    const results = Object.entries(printed.files);
    const steps = results.flatMap(([file, { executedWorkflows }]) =>
      executedWorkflows.flatMap(({ workflowId, executedSteps }) =>
        executedSteps.map((step) => ({ file, workflowId, ...step })),
      ),
    );
    if (
      results.length < files.length ||
      steps.length === 0 ||
      steps.some(({ checks = [] }) => checks.length === 0)
    )
      throw new Error('redocly respect skipped a workflow, or a step without checks.');
    const findings = await Promise.all(
      steps.flatMap(({ file, workflowId, stepId, checks = [] }) =>
        checks
          .filter(({ status }) => status === 'error')
          .map((check) => findingOf(file, workflowId, stepId, check)),
      ),
    );
    if (code !== 0 && findings.length === 0)
      throw new Error(`redocly respect failed: ${(errors || output).trim().slice(-300)}`);
    return { findings, summary: `${files.length} workflows, ${steps.length} steps` };
  });
}

async function findingOf(
  file: string,
  workflow: string,
  step: string,
  { name, message }: StepCheck,
): Promise<Finding> {
  const lines = await readFile(file, 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  const line = lines.findIndex((each) => each.trim().replace(/^- /, '') === `stepId: ${step}`) + 1;
  const told = `${workflow}, ${step}: ${message.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
  const rule = name.toLowerCase().replaceAll(' ', '-');
  return errorFinding(rule, told, 'Change the service or the workflow.', { file, line: line || 1 });
}
