import type { CheckOutcome, Finding } from '../check.ts';

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const;

/** The findings as GitHub shows them beside the lines of a pull request: workflow commands, one a line. */
export const formatAnnotations = (outcomes: readonly CheckOutcome[]): string[] => [
  ...outcomes.flatMap(({ check, findings }) => findings.map((finding) => annotationOf(check, finding))),
  ...outcomes
    .filter(({ state }) => state === 'could not run')
    .map(({ check, summary }) => `::error title=${inProperty(check)} could not run::${inData(summary)}`),
];

function annotationOf(
  check: string,
  { severity, rule, message, fix, file, line, column, details = [] }: Finding,
): string {
  const location =
    file === undefined
      ? []
      : [
          `file=${inProperty(file)}`,
          ...(line === undefined ? [] : [`line=${line}`]),
          ...(column === undefined ? [] : [`col=${column}`]),
        ];
  const properties = [...location, `title=${inProperty(`${check}/${rule}`)}`].join(',');
  return `::${commands[severity]} ${properties}::${inData([message, ...details, fix].join('\n'))}`;
}

// As @actions/core writes them: a value could otherwise end the command, or begin another one.
const inData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const inProperty = (text: string): string => inData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
