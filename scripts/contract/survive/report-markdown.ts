import { stripVTControlCharacters } from 'node:util';
import type { SurviveFinding } from './findings.ts';
import { resultOf, sentText } from './report-text.ts';
import type { SurviveReport } from './survive.ts';

/** Formats the report as Markdown, for a comment or a job summary. */
export function formatSurviveMarkdown(report: SurviveReport, findings: readonly SurviveFinding[]): string {
  return [
    '## Does the client survive the contract?',
    '',
    stripVTControlCharacters(resultOf(report, findings)),
    '',
    ...findings.flatMap((finding) => [
      `### ${finding.level === 'error' ? '❌' : '⚠️'} ${finding.scenario}: ${finding.kind}`,
      '',
      text(finding.message),
      '',
      ...(finding.operations.length > 0 ? [`- Operations: ${finding.operations.map(code).join(', ')}`] : []),
      ...(finding.locations.length > 0 ? [`- Values: ${finding.locations.map(code).join(', ')}`] : []),
      `- Server: ${text(finding.title)}`,
      `- Legal: ${text(finding.legal)}`,
      `- For users: ${finding.consequence}`,
      ...(finding.response ? [`- Sent: ${code(sentText(finding.response))}`] : []),
      '',
      '```sh',
      ...finding.reproduce,
      '```',
      '',
    ]),
  ].join('\n');
}

/** Formats code of any content. */
const code = (content: string): string => {
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `\`${content}\`` : `${fence} ${content} ${fence}`;
};

/** Escapes text from responses and programs, which may contain Markdown or HTML. */
const text = (content: string): string =>
  content.replaceAll(/[\\`*_{}[\]<>#|]/g, (character) => `\\${character}`).replaceAll('\n', ' ');
