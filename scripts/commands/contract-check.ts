import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import type { Progress } from '../../server/lib/progress.ts';
import { resolveBases } from '../contract/check/base.ts';
import { SkippedCheck } from '../contract/check/check.ts';
import { versionOf } from '../contract/check/check-release.ts';
import { readPolicy } from '../contract/check/policy.ts';
import { formatMarkdown } from '../contract/check/reports/markdown.ts';
import { toSarif } from '../contract/check/reports/sarif.ts';
import { formatTextReport, outcomeLine } from '../contract/check/reports/text.ts';
import { contractChecks, exitCodeOf, runChecks } from '../contract/check/run.ts';
import { type ContractConfig, isOwnContract } from '../contract/config.ts';
import { type ApiOptions, contractCommand } from '../contract/contract-command.ts';
import { commandIo } from '../lib/command-io.ts';
import { once } from '../lib/once.ts';
import { printJson, printLines } from '../lib/terminal.ts';

const names = contractChecks.map(({ name }) => name);

interface Options extends ApiOptions {
  base?: string;
  config?: string;
  failOnUndecided?: true;
  only: string[];
  skip: string[];
  json?: true;
  markdown?: string;
  sarif?: string;
}

export const check = contractCommand<Options>({
  declare: (program, _config, name) =>
    program
      .description('Check the contract, and which changes break clients.')
      .option(
        '--base <revision or file>',
        'file to compare with, or a revision, which means its merge base with HEAD (default: the main branch; on it, the previous commit)',
      )
      .option(
        '--config <file>',
        "configuration of Redocly: its lint rules, and the section x-contract-check (default: redocly.yaml here, if its apis list the contract, or in the contract's folder, or here without apis)",
      )
      .option('--fail-on-undecided', 'exit with 1 if it is undecided whether a change breaks clients')
      .addOption(new Option('--only <check...>', 'run only these checks').choices(names).default([]))
      .addOption(new Option('--skip <check...>', 'skip these checks').choices(names).default([]))
      .option('--json', 'print the report as JSON')
      .option('--markdown <file>', 'also write the report as Markdown, for a pull request')
      .option('--sarif <file>', 'also write the findings as SARIF 2.1.0')
      .addHelpText(
        'after',
        `
Checks:
${contractChecks.map(({ name, question, forAny }) => `  ${name.padEnd(12)} ${question}${forAny ? '' : ' (only for the default of --api)'}`).join('\n')}

Examples:
  ${name}
  ${name} --base HEAD~3 --markdown report.md
  ${name} --only changes --base HEAD~3
  ${name} --api other.yaml --base other-before.yaml --json

Without configuration, only the rules of OpenAPI itself apply. More is turned on in redocly.yaml:

  x-contract-check:
    version: semver            # info.version must be high enough for the changes
    changelog: CHANGELOG.md    # relative to this file; must describe breaking changes and additions
    minimum-score: 90          # of 100, by redocly score

Exit codes: 0 all checks passed, 1 a check failed or could not run, 2 usage error, or the contract is refused, 3 nothing
failed, but a check was skipped. If --api names another contract than its default, only the checks that apply to any contract count.`,
      ),
  async run(options, { settings, progress }) {
    const closing: (() => Promise<unknown>)[] = [];
    const closeAll = () => Promise.allSettled(closing.map((close) => close()));
    // Stops services and deletes temporary folders.
    commandIo().onInterrupt(closeAll);
    try {
      return await runChosen(options, settings, progress, closing);
    } finally {
      await closeAll();
    }
  },
});

async function runChosen(
  options: Options,
  contractConfig: ContractConfig,
  progress: Progress,
  closing: (() => Promise<unknown>)[],
): Promise<number> {
  const { api, allowOutside } = options;
  const config = { ...contractConfig, allowOutside };
  if (!existsSync(api)) throw new Error(`The file ${api} does not exist.`);
  const policy = await readPolicy(options.config, api);
  const chosen = contractChecks.filter(
    ({ name, isOn }) =>
      (options.only.length === 0
        ? (isOn?.({ policy, config: contractConfig, api }) ?? true)
        : options.only.includes(name)) && !options.skip.includes(name),
  );
  if (chosen.length === 0) throw new Error(`No check is selected. Checks: ${names.join(', ')}.`);
  const { loadContract } = await import('../contract/load/load-contract.ts');
  const { createSourceMap } = await import('../contract/load/source-map.ts');
  const contract = once(() => loadContract(api, config));
  const bases = await resolveBases(options.base, api);
  if (bases) closing.push(bases.close);

  const left = new Set(chosen.map(({ name }) => name));
  const outcomes = await runChecks(
    chosen,
    {
      api,
      config,
      policy,
      isOwn: isOwnContract(contractConfig, api),
      base: bases?.base,
      sources: once(async () => createSourceMap(api, config)),
      contract,
      service: () => {
        const { startService } = contractConfig;
        if (!startService) throw new SkippedCheck('it needs startService in parley-contract.config.ts');
        const starting = startService();
        closing.push(() => starting.then(({ close }) => close()));
        return starting;
      },
      today: new Date().toISOString().slice(0, 10),
    },
    (outcome) => {
      left.delete(outcome.check);
      if (!options.json) progress.say(outcomeLine(outcome));
      if (left.size > 0) progress.show(`still running: ${[...left].join(', ')}`);
    },
  );
  progress.end();
  const loaded = await contract().catch(() => undefined);
  // Other commands cannot use a refused contract either, and have the same exit code.
  const own = loaded ? exitCodeOf(outcomes, chosen, isOwnContract(contractConfig, api)) : 2;
  const isUndecided = outcomes.some(({ findings }) => findings.some(({ undecided }) => undecided));
  const code = own === 0 && options.failOnUndecided && isUndecided ? 1 : own;
  if (options.json) printJson({ holds: code === 0, outcomes }, 2);
  else printLines(formatTextReport(outcomes));
  if (options.markdown !== undefined) await writeFile(options.markdown, formatMarkdown(outcomes));
  if (options.sarif !== undefined) {
    const sarif = toSarif(outcomes, loaded ? versionOf(loaded.document) : '');
    await writeFile(options.sarif, `${JSON.stringify(sarif, null, 2)}\n`);
  }
  return code;
}
