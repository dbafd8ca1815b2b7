import { counted } from '../../../lib/counted.ts';
import { markdownBlock, markdownCode, markdownText } from '../../../lib/markdown-text.ts';
import type { CheckOutcome, Finding } from '../check.ts';
import {
  byImportance,
  cutTo,
  impactLines,
  isBreak,
  locationText,
  type ReportedFinding,
  summaryText,
} from './report-lines.ts';

const marks = { passed: '✅', failed: '❌', 'could not run': '❌', 'not run': '⚪' } as const;
const severities = { error: '❌', warning: '⚠️', note: 'ℹ️' } as const;

const maxTold = 40;
/** Maximum length of a line of details in characters. */
const maxWidth = 160;
/** Maximum length of the report in characters. Comments on GitHub have at most 65,536, and summaries of jobs 1 MiB. */
const longest = 60_000;

/** Formats the report as Markdown, for the summary of a job or a comment on a pull request. */
export function formatMarkdown(outcomes: readonly CheckOutcome[]): string {
  const rows = outcomes.map(
    ({ check, state, summary, findings }) =>
      `| ${marks[state]} | ${check} | ${state === 'passed' || state === 'failed' ? '' : `**${state}**: `}${markdownText(summary)} | ${countOf(findings)} |`,
  );
  const told = byImportance(outcomes);
  const breaking = told.filter((each) => isBreak(each) && !each.undecided);
  const undecided = told.filter((each) => isBreak(each) && each.undecided);
  const others = told.filter((each) => !isBreak(each));
  const report = [
    `## Contract check: ${summaryText(outcomes)}`,
    '',
    ...section('Breaking changes', breaking),
    ...section('Undecided changes', undecided),
    ...section('Other findings', others),
    '### Checks',
    '',
    '| | Check | | Findings |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  if (report.length <= longest) return report;
  return `${report.slice(0, report.lastIndexOf('\n- ', longest))}\n\n… and more: the report is too long for GitHub. Run: npm run contract:check\n`;
}

function countOf(findings: readonly Finding[]): string {
  const counts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const count = findings.filter((each) => each.severity === severity).length;
    return count > 0 ? [counted(count, severity)] : [];
  });
  return counts.join(', ');
}

function section(title: string, findings: readonly ReportedFinding[]): string[] {
  if (findings.length === 0) return [];
  const more = findings.length - maxTold;
  return [
    `### ${title}`,
    '',
    ...findings.slice(0, maxTold).flatMap(itemOf),
    ...(more > 0 ? ['', `… and ${more} more.`] : []),
    '',
  ];
}

function itemOf(finding: ReportedFinding): string[] {
  const { check, severity, rule, message, fix, consumers = [], details = [] } = finding;
  const place = locationText({ ...finding, column: undefined });
  const location = place === '' ? '' : ` ${markdownCode(place)}`;
  return [
    `- ${severities[severity]} **${markdownText(`${check}/${rule}`)}**${location}<br>${markdownText(message)}${impactLines(
      consumers,
    )
      .map((line) => `<br>👥 ${markdownText(line)}`)
      .join('')}<br>→ ${markdownText(fix)}`,
    ...(details.length > 0
      ? [
          '',
          ...markdownBlock(details.map((detail) => cutTo(maxWidth, detail))).map((line) => `  ${line}`),
          '',
        ]
      : []),
  ];
}
