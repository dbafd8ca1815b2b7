import { commandIo, type OutputStream } from '../../../lib/command-io.ts';
import { counted } from '../../../lib/counted.ts';
import { singleLine, styled } from '../../../lib/terminal.ts';
import type { CheckOutcome } from '../check.ts';
import {
  byImportance,
  cutTo,
  impactLines,
  locationText,
  type ReportedFinding,
  summaryText,
} from './report-lines.ts';

// Maximum number of findings per check in the text report. JSON and SARIF contain all of them.
const maxTold = 12;

const signs = {
  passed: ['green', '✔'],
  failed: ['red', '✘'],
  'could not run': ['red', '✘'],
  'not run': ['yellow', '–'],
} as const;

/** Returns the symbol for a state, in color if the stream supports it. */
const markOf = (state: CheckOutcome['state'], stream: OutputStream): string => {
  const [colour, sign] = signs[state];
  return styled(colour, sign, stream);
};

/** Formats the outcome of a check in one line, for standard error. */
export const outcomeLine = ({ check, state, summary, findings, seconds }: CheckOutcome): string => {
  const told = state === 'not run' || state === 'could not run' ? `${state}: ${summary}` : summary;
  const count = findings.filter(({ severity }) => severity === 'error').length;
  return `${markOf(state, commandIo().stderr)} ${check.padEnd(12)} ${count > 0 ? `${counted(count, 'error')}; ` : ''}${told} (${seconds} s)`;
};

/** Formats the report as text: the findings of each check, errors first, and a summary line at the end. */
export function formatTextReport(outcomes: readonly CheckOutcome[]): string {
  const counts = new Map<string, number>();
  const shown = byImportance(outcomes).filter(({ check }) => {
    const count = (counts.get(check) ?? 0) + 1;
    counts.set(check, count);
    return count <= maxTold;
  });
  const left = [...counts].filter(([, count]) => count > maxTold);
  const blocks = [
    ...shown.map(blockOf),
    ...left.map(([check, count]) => `  … and ${count - maxTold} more of ${check}: see --json`),
  ];
  return [...(blocks.length > 0 ? ['', ...blocks] : []), '', summaryLine(outcomes)].join('\n');
}

/** Maximum length of a command, which is of no use if it is cut. */
const maxCommand = 2_000;

function blockOf(finding: ReportedFinding): string {
  const { check, severity, rule, message, fix, consumers = [], details = [] } = finding;
  const colour = severity === 'error' ? 'red' : severity === 'warning' ? 'yellow' : 'blue';
  // A longer line would wrap. --json prints the whole counterexample.
  const width = (commandIo().stdout.columns ?? 120) - 4;
  return [
    `${styled(colour, severity)} ${styled('bold', singleLine(`${check}/${rule}`))} ${singleLine(locationText(finding))}`.trimEnd(),
    `  ${oneLine(message)}`,
    ...details.map(
      (detail) => `    ${cutTo(detail.startsWith('tried: ') ? maxCommand : width, oneLine(detail))}`,
    ),
    ...impactLines(consumers).map((line) => `    ${oneLine(line)}`),
    `  ${styled('dim', '→')} ${oneLine(fix)}`,
  ].join('\n');
}

/** Replaces line breaks, because a CI system could interpret the text after one as a command. */
const oneLine = (text: string): string =>
  // `\s*[\r\n]+\s*` would take quadratic time for a request with a megabyte of spaces.
  text.replaceAll(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space));

/** Formats the result of all checks in one line. */
function summaryLine(outcomes: readonly CheckOutcome[]): string {
  const [worst = 'passed'] = (['could not run', 'failed', 'not run'] as const).filter((state) =>
    outcomes.some((each) => each.state === state),
  );
  return `${markOf(worst, commandIo().stdout)} ${summaryText(outcomes)}`;
}
