import type { CheckOutcome } from '../check.ts';
import { byImportance, type ReportedFinding } from './by-importance.ts';
import { impactLines } from './impact-lines.ts';

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const;

/**
 * Formats findings as GitHub workflow commands, which annotate the lines of a pull request. GitHub shows only the first
 * ten errors and the first ten warnings of a step.
 */
export const formatAnnotations = (outcomes: readonly CheckOutcome[]): string[] => [
  ...byImportance(outcomes).map(annotationOf),
  ...outcomes
    .filter(({ state }) => state === 'could not run')
    .map(({ check, summary }) => `::error title=${inProperty(check)} could not run::${inData(summary)}`),
];

function annotationOf(finding: ReportedFinding): string {
  const { check, severity, rule, message, fix, file, line, column, consumers = [], details = [] } = finding;
  const location =
    file === undefined
      ? []
      : [
          `file=${inProperty(file)}`,
          ...(line === undefined ? [] : [`line=${line}`]),
          ...(column === undefined ? [] : [`col=${column}`]),
        ];
  const properties = [...location, `title=${inProperty(`${check}/${rule}`)}`].join(',');
  return `::${commands[severity]} ${properties}::${inData([message, ...details, ...impactLines(consumers), fix].join('\n'))}`;
}

// Escapes values as @actions/core does: a line break would begin another command.
const inData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const inProperty = (text: string): string => inData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
