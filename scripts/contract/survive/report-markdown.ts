import { markdownBlock, markdownCode, markdownText } from '../../lib/markdown-text.ts';
import type { SurviveFinding } from './findings.ts';
import { resultOf, sentText } from './report-text.ts';
import type { SurviveReport } from './survive.ts';

/** Formats the report as Markdown, for a comment or a job summary. */
export function formatSurviveMarkdown(report: SurviveReport, findings: readonly SurviveFinding[]): string {
  return [
    '## Does the client survive the contract?',
    '',
    resultOf(report, findings),
    '',
    ...findings.flatMap((finding) => [
      `### ${finding.level === 'error' ? '❌' : '⚠️'} ${markdownText(`${finding.scenario}: ${finding.kind}`)}`,
      '',
      markdownText(finding.message),
      '',
      ...(finding.operations.length > 0
        ? [`- Operations: ${finding.operations.map(markdownCode).join(', ')}`]
        : []),
      ...(finding.locations.length > 0
        ? [`- Values: ${finding.locations.map(markdownCode).join(', ')}`]
        : []),
      `- Server: ${markdownText(finding.title)}`,
      `- Legal: ${markdownText(finding.legal)}`,
      `- For users: ${finding.consequence}`,
      ...(finding.response ? [`- Sent: ${markdownCode(sentText(finding.response))}`] : []),
      '',
      ...markdownBlock(finding.reproduce, 'sh'),
      '',
    ]),
  ].join('\n');
}
