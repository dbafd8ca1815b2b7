import { styleText } from 'node:util';
import { type Check, checks } from './check-result.ts';
import type { Report } from './run.ts';
import type { Finding, Tally } from './session.ts';

/** Longer lines are in the JSON and in the JUnit report. */
const longestLine = 1_500;

const short = (text: string): string =>
  text.length <= longestLine
    ? text
    : `${text.slice(0, longestLine)}… (${text.length} characters; all with --json)`;

const number = (count: number): string => count.toLocaleString('en-US');

/** The report for a person: findings first, then what was looked at, then what was not. */
export function textOf(report: Report): string {
  return [
    ...report.findings.map((finding) => findingText(finding, report)),
    summary(report),
    keywordsText(report),
    gapsText(report),
    verdict(report),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function findingText(
  { operation, check, message, detail, what, curl, answer, phase }: Finding,
  { seed }: Report,
): string {
  return [
    `${styleText('red', '✘')} ${styleText('bold', operation)}: ${message}${detail === undefined ? '' : ` (${short(detail)})`}`,
    `  ${check} · ${phase} · ${what} · seed ${seed}`,
    `  ${short(curl)}`,
    ...(answer ? [`  → ${answer.status} ${short(answer.body).slice(0, 300)}`] : []),
  ].join('\n');
}

/** Operations down, checks across: how often each was made; in red how often it did not hold. */
function summary({ operations, requests }: Report): string {
  const made = (Object.keys(checks) as Check[]).filter((check) =>
    operations.some((each) => check in each.checks),
  );
  const width = Math.max(...operations.map(({ id }) => id.length), 10);
  const cell = (tally: Tally | undefined) => {
    if (!tally) return '·'.padStart(7);
    const text = (tally.broken > 0 ? `✘${tally.broken}` : number(tally.held)).padStart(7);
    return tally.broken > 0 ? styleText('red', text) : text;
  };
  const legend = made.map((check, place) => `  ${String(place + 1).padStart(2)}  ${check}: ${checks[check]}`);
  const head = `${''.padEnd(width)} ${made.map((_, place) => String(place + 1).padStart(7)).join('')}   accepted of sound`;
  const lines = operations.map(({ id, checks: own, sound }) => {
    const share = sound ? `   ${number(sound.accepted)} of ${number(sound.sent)}` : '';
    return `${id.padEnd(width)} ${made.map((check) => cell(own[check])).join('')}${share}`;
  });
  return [`${number(requests)} requests. What was looked at:`, ...legend, '', head, ...lines].join('\n');
}

function keywordsText({ keywords, gaps }: Report): string {
  const listed = Object.entries(keywords).map(([word, count]) => `${word} ${number(count)}`);
  if (listed.length === 0) return '';
  const bound = gaps.inseparable.length;
  const told =
    bound > 0
      ? ` ${number(bound)} of them cannot be broken alone, because another says the same (--json names them).`
      : '';
  return `Keywords in what is sent: ${listed.join(', ')}.${told}`;
}

function gapsText({ gaps }: Report): string {
  const { unmade, unsupported, unreached, unsendable, unsoundExamples, neverAccepted, rulesNotMet, notes } =
    gaps;
  const list = (title: string, lines: string[]) =>
    lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `  ${line}`)];
  const lines = [
    ...list(
      'No request could be made',
      unmade.map(({ operation, reason }) => short(`${operation}: ${reason}`)),
    ),
    ...list(
      'Keywords that are not understood, and were passed over',
      unsupported.map(({ part, keyword, at }) => `${part}: ${keyword} at ${at}`),
    ),
    ...list(
      'Limits that could not be tried',
      unreached.map(({ part, keyword, place, side }) => `${part}${place}: ${keyword}, ${side}`),
    ),
    ...list(
      'Examples that do not fit their schemas, and were not sent',
      unsoundExamples.map(({ part, name }) => `${part}: ${name}`),
    ),
    ...(unsendable.length > 0
      ? [
          `${number(unsendable.length)} ways to be wrong that cannot be sent, such as null in a query (--json names them)`,
        ]
      : []),
    ...list('No sound request was accepted, so nothing is known of success', neverAccepted),
    ...list('Rules beside the schemas that have refused nothing', rulesNotMet),
    ...notes,
  ];
  return lines.length === 0 ? '' : ['Not shown:', ...lines.map((line) => `  ${line}`)].join('\n');
}

function verdict({ findings, seed }: Report): string {
  if (findings.length === 0)
    return `${styleText('green', '✔')} The service keeps its contract, as far as was tried (seed ${seed}).`;
  const word = findings.length === 1 ? 'finding' : 'findings';
  return `${styleText('red', '✘')} ${findings.length} ${word}. Again with --seed ${seed}; $AUTHORIZATION and the like stand for what --header has said.`;
}
