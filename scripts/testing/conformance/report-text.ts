import { counted } from '../../lib/counted.ts';
import { shellWord } from '../../lib/shell-text.ts';
import { singleLine, styled } from '../../lib/terminal.ts';
import { type ConformanceCheck, conformanceChecks } from './check-result.ts';
import type { ConformanceReport } from './run.ts';
import type { CheckTally, ConformanceFinding } from './session.ts';

/** Maximum number of characters of a text. Longer texts are truncated here, but not in JSON. */
const maxLine = 1_500;

const short = (text: string): string =>
  text.length <= maxLine ? text : `${text.slice(0, maxLine)}… (${text.length} characters; all with --json)`;

const number = (count: number): string => count.toLocaleString('en-US');

/** Maximum number of operations of a list that are named. */
const maxNamed = 20;

/** Whether a part of the contract could not be tested. Operations that an option leaves out do not count. */
export const isIncomplete = ({ gaps, ended }: ConformanceReport): boolean =>
  ended !== undefined ||
  [
    gaps.unmade,
    gaps.unsupported,
    gaps.invalidExamples,
    gaps.neverAccepted,
    gaps.alwaysEmpty,
    gaps.notes,
  ].some(({ length }) => length > 0);

/**
 * Formats the report as text: findings first, then what was tested, then what was not.
 * @param isStrict whether a part that was not tested makes the run fail
 */
export function formatConformanceReport(report: ConformanceReport, isStrict = false): string {
  return [
    ...foldByCause(report.findings).map(({ finding, same }) => findingText(finding, same, report)),
    summary(report),
    gapsText(report),
    choiceText(report),
    endText(report),
    result(report, isStrict),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

/** Checks of behavior that operations usually share, so that the same message means the same cause. */
const shared: readonly ConformanceCheck[] = [
  'body',
  'headers',
  'media-type',
  'requires-auth',
  'rejects-method',
];

/** Groups findings with the same probable cause: the first one and the others. */
function foldByCause(findings: readonly ConformanceFinding[]) {
  const groups = Map.groupBy(findings, (finding) =>
    shared.includes(finding.check) ? `${finding.check}: ${finding.message}` : finding,
  );
  return [...groups.values()].flatMap(([finding, ...same]) => (finding ? [{ finding, same }] : []));
}

function findingText(
  { operation, check, message, detail, what, curl, response, phase }: ConformanceFinding,
  same: readonly ConformanceFinding[],
  { seed }: ConformanceReport,
): string {
  return [
    `${styled('red', '✘')} ${styled('bold', operation)}: ${message}${detail === undefined ? '' : ` (${short(detail)})`}`,
    `  ${check} · ${phase} · ${what} · seed ${seed}`,
    `  ${short(curl)}`,
    ...(response ? [`  → ${response.status} ${short(response.body).slice(0, 300)}`] : []),
    ...(same.length === 0
      ? []
      : [`  same cause: ${same.map((each) => `${each.operation} (${each.phase})`).join(', ')}`]),
  ]
    .map(singleLine)
    .join('\n');
}

/** Formats a table of operations and checks. A cell shows how often a check passed or, in red, how often it failed. */
function summary({ operations, requests }: ConformanceReport): string {
  const made = (Object.keys(conformanceChecks) as ConformanceCheck[]).filter((check) =>
    operations.some((each) => check in each.checks),
  );
  const width = Math.max(...operations.map(({ id }) => id.length), 10);
  const cell = (tally: CheckTally | undefined) => {
    if (!tally) return '·'.padStart(7);
    const text = (tally.invalid > 0 ? `✘${tally.invalid}` : number(tally.held)).padStart(7);
    return tally.invalid > 0 ? styled('red', text) : text;
  };
  const legend = made.map(
    (check, index) => `  ${String(index + 1).padStart(2)}  ${check}: ${conformanceChecks[check]}`,
  );
  const head = `${''.padEnd(width)} ${made.map((_, index) => String(index + 1).padStart(7)).join('')}   accepted of valid`;
  const lines = operations.map(({ id, checks: own, valid }) => {
    const share = valid ? `   ${number(valid.accepted)} of ${number(valid.sent)}` : '';
    return `${singleLine(id).padEnd(width)} ${made.map((check) => cell(own[check])).join('')}${share}`;
  });
  return [`${number(requests)} requests. Checks:`, ...legend, '', head, ...lines].join('\n');
}

function gapsText({ gaps }: ConformanceReport): string {
  const { unmade, unsupported, unreached, invalidExamples, neverAccepted, alwaysEmpty, rulesNotMet, notes } =
    gaps;
  const list = (title: string, lines: string[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
  const lines = [
    ...list(
      'No request could be generated',
      unmade.map(({ operation, reason }) => short(`${operation}: ${reason}`)),
    ),
    ...list(
      'Unknown keywords, which were ignored',
      unsupported.map(({ part, keyword, at }) => `${part}: ${keyword} at ${at}`),
    ),
    ...list(
      'Limits that could not be tested',
      unreached.map(
        ({ part, keyword, location, side, reason }) => `${part}${location}: ${keyword}, ${side} (${reason})`,
      ),
    ),
    ...list(
      'Invalid examples, which were not sent',
      invalidExamples.map(({ part, name }) => `${part}: ${name}`),
    ),
    ...list(
      'No valid request was accepted, so success responses are not tested. Add an example that the service accepts, or x-id-of to the parameter or property that is an ID, and to the ID in responses',
      neverAccepted.map(({ operation, rejections }) =>
        [
          operation,
          ...rejections.map(({ status, count, body }) => `${number(count)} times ${status} ${body}`.trim()),
        ].join('; '),
      ),
    ),
    ...list('Lists that were always empty, so their items are not tested', alwaysEmpty),
    ...list('Rules beyond the schemas that rejected nothing', rulesNotMet),
    ...notes,
  ];
  return lines.length === 0 ? '' : ['Not shown:', ...lines.map((line) => `  ${singleLine(line)}`)].join('\n');
}

/** Says which operations were left out, or called only for others, and which come last. */
function choiceText({ leftOut, alsoCalled, last }: ConformanceReport): string {
  const by = Map.groupBy(leftOut, ({ option }) => option);
  const lines = [...by].map(
    ([option, left]) => `Left out by ${option}: ${listed(left.map(({ operation }) => operation))}.`,
  );
  if (alsoCalled.length > 0)
    lines.push(`Called only to create or read what the others need: ${listed(alsoCalled)}.`);
  const destructive = last.map(({ operation, destroys }) => `${operation} (${destroys})`);
  if (last.length > 0)
    lines.push(
      `The last in order, because they may end data, credentials or the service: ${listed(destructive)}. Leave them out with --exclude.`,
    );
  return lines.map(singleLine).join('\n');
}

function endText({ ended }: ConformanceReport): string {
  if (!ended) return '';
  const { lost, operation, isExpected, detail, unfinished } = ended;
  const what =
    lost === 'service'
      ? `The service stopped responding after ${operation}`
      : `The service refuses the credentials since ${operation}`;
  const why = isExpected ? ', as its description says' : '';
  const rest = unfinished.length === 0 ? '' : ` Not tested, or not in all phases: ${listed(unfinished)}.`;
  return singleLine(
    `${what}${why} (${short(detail)}). The run ended there.${rest} To test the others, restore ${lost === 'service' ? 'the service' : 'the credentials'}, and add --exclude ${shellWord(operation)}.`,
  );
}

const listed = (names: readonly string[]): string => {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(', ')}${more > 0 ? ` and ${number(more)} more (--json names them)` : ''}`;
};

function result(report: ConformanceReport, isStrict: boolean): string {
  const { findings, seed, variables } = report;
  if (findings.length === 0 && isStrict && isIncomplete(report))
    return `${styled('red', '✘')} A part of the contract was not tested, which --strict does not allow. The lines above name it (seed ${seed}).`;
  if (findings.length === 0)
    return `${styled('green', '✔')} No violation of the contract was found (seed ${seed}).`;
  return `${styled('red', '✘')} ${counted(findings.length, 'finding')}. Repeat with --seed ${seed}. ${variablesText(variables)}`.trimEnd();
}

/** Returns the meaning of the shell variables in curl commands as a sentence; empty without variables. */
export function variablesText(variables: ConformanceReport['variables']): string {
  const listed = Object.entries(variables).map(([variable, name]) => `$${variable} is the value of ${name}`);
  return listed.length === 0 ? '' : `In curl commands, ${listed.join(', and ')}.`;
}
