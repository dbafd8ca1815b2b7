import { counted } from '../../lib/counted.ts';
import { singleLine, styled } from '../../lib/terminal.ts';
import type { SurviveFinding } from './findings.ts';
import type { SurviveReport } from './survive.ts';

const maxBody = 300;

/** Formats the report for a terminal: warnings and errors first, the result last. */
export function formatSurviveReport(report: SurviveReport, findings: readonly SurviveFinding[]): string {
  const { rejected } = report.baseline;
  const ignored =
    rejected.length === 0
      ? []
      : [
          `The contract does not allow ${counted(rejected.length, 'request')} that the tests send without a scenario, so the scenarios do not apply to ${rejected.length === 1 ? 'it' : 'them'}: ${rejected.slice(0, 5).join(', ')}${rejected.length > 5 ? ', …' : ''}`,
        ];
  const left =
    report.notApplicable.length === 0
      ? []
      : [`Not applicable to the responses that the tests got: ${report.notApplicable.join(', ')}`];
  const [mark = '', ...result] = resultOf(report, findings);
  return [
    ...findings.toReversed().map(findingText),
    ...[...ignored, ...left].map(singleLine),
    styled(mark === '✔' ? 'green' : 'red', mark) + result.join(''),
  ].join('\n\n');
}

function findingText(finding: SurviveFinding): string {
  const { level, scenario, operations, locations, kind, message, consequence, title, legal, response } =
    finding;
  const mark = level === 'error' ? styled('red', '✘') : styled('yellow', '!');
  const where = [...operations, ...locations].join(' ');
  return [
    `${mark} ${styled('bold', scenario)}${where && ` ${where}`}: ${kind}`,
    `  ${message}`,
    `  Server: ${title}`,
    `  Legal: ${legal}`,
    `  For users: ${consequence}`,
    ...(response ? [`  Sent: ${sentText(response)}`] : []),
    ...finding.reproduce.map((line, index) => `  ${index === 0 ? 'Again: ' : '       '}${line}`),
  ]
    .map(singleLine)
    .join('\n');
}

/** Formats a sent response in one line. */
const sentText = ({ status, headers, body }: NonNullable<SurviveFinding['response']>): string =>
  [status, headers['content-type'] ?? '', body.length > maxBody ? `${body.slice(0, maxBody)}…` : body]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll('\n', ' ');

/** Returns one sentence about the whole run. */
function resultOf({ baseline, results }: SurviveReport, findings: readonly SurviveFinding[]): string {
  const errors = findings.filter(({ level }) => level === 'error').length;
  const warnings = findings.length - errors;
  const ran = new Set(results.map(({ scenario }) => scenario.name)).size;
  const about = `${counted(ran, 'scenario')} with ${counted(baseline.operations.length, 'operation')}`;
  const ignored = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
  return errors === 0
    ? `✔ The client survives ${about}${ignored}.`
    : `✘ ${counted(errors, 'error')}${ignored} in ${about}.`;
}
