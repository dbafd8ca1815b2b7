import type { ContractConfig } from '../contract/config.ts';
import type { Promises } from '../contract/load/read-promises.ts';
import type { Contract } from '../contract/model/contract.ts';
import { type FindingsContext, findingsOf } from '../contract/survive/findings.ts';
import { formatSurviveReport } from '../contract/survive/report-text.ts';
import type { SurviveReport } from '../contract/survive/survive.ts';
import type { Invocation } from '../lib/command.ts';
import { shellWord } from '../lib/shell-text.ts';
import { printJson, printLine, printLines } from '../lib/terminal.ts';

/** The options of `survive`. */
export interface SurviveOptions {
  api: string;
  allowOutside: string[];
  promises?: string;
  env?: string[];
  scenario?: string[];
  timeout?: number;
  jobs: number;
  receiver?: string;
  secretEnv?: string;
  list?: true;
  serve?: true;
  port: number;
  operation?: string[];
  location?: string[];
  json?: true;
}

/** What `survive` was called with, and what it has read. */
export interface SurviveInvocation extends Invocation<ContractConfig> {
  options: SurviveOptions;
  contract: Contract;
  promises: Promises;
}

/** Returns the command as the user called it for this contract, for the reproductions of findings. */
export const commandForContract = ({ name, settings, options }: SurviveInvocation): string =>
  options.api === settings.api ? name : `${name} --api ${shellWord(options.api)}`;

/** Writes and prints the report. @returns exit code */
export async function reportSurvival(
  report: SurviveReport,
  context: FindingsContext,
  { options, progress }: SurviveInvocation,
): Promise<number> {
  const findings = await findingsOf(report.results, context);
  progress.end();
  if (options.json)
    printJson({ baseline: report.baseline, findings, notApplicable: report.notApplicable }, 2);
  else printLines(formatSurviveReport(report, findings));
  return findings.some(({ level }) => level === 'error') ? 1 : 0;
}

/** @throws Error if a scenario of the options is not among these */
export function assertKnown(
  scenarios: readonly { name: string }[],
  { name, options: { scenario: only = [] } }: SurviveInvocation,
): void {
  const unknown = only.find((each) => !scenarios.some((known) => known.name === each));
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}. Run: ${name} --list`);
}

/** Prints the scenarios. @returns exit code */
export function listScenarios(
  scenarios: readonly { name: string; class: string; title: string }[],
  json: true | undefined,
): number {
  if (json) printJson(scenarios, 2);
  else
    for (const each of scenarios) printLine(`${each.name.padEnd(20)} ${each.class.padEnd(13)} ${each.title}`);
  return 0;
}
