import type { CheckOutcome, Finding } from '../check.ts';
import { impactLines } from './report-lines.ts';

/** Formats findings as SARIF 2.1.0, for code scanning and editors. */
export function toSarif(outcomes: readonly CheckOutcome[], version: string): object {
  const told = outcomes.flatMap(({ check, findings }) =>
    findings.map((finding) => ({ id: `${check}/${finding.rule}`, finding })),
  );
  const rules = [...new Set(told.map(({ id }) => id))].sort();
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'parley contract check',
            semanticVersion: version,
            rules: rules.map((id) => ({ id })),
          },
        },
        // A check that could not run makes the whole run unsuccessful.
        invocations: [
          {
            executionSuccessful: outcomes.every(({ state }) => state !== 'could not run'),
            toolExecutionNotifications: outcomes
              .filter(({ state }) => state === 'could not run' || state === 'not run')
              .map(({ check, state, summary }) => ({
                level: state === 'could not run' ? 'error' : 'note',
                message: { text: `${check} ${state === 'not run' ? 'was not run' : state}: ${summary}` },
              })),
          },
        ],
        results: told.map(({ id, finding }) => resultOf(id, rules.indexOf(id), finding)),
      },
    ],
  };
}

function resultOf(
  ruleId: string,
  ruleIndex: number,
  { severity, message, fix, file, line, column, affected, consumers, details = [] }: Finding,
): object {
  const region =
    line === undefined
      ? {}
      : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } };
  return {
    ruleId,
    ruleIndex,
    level: severity,
    message: { text: [message, ...details, ...impactLines(consumers ?? []), fix].join('\n') },
    ...(affected ? { properties: { affected, ...(consumers ? { consumers } : {}) } } : {}),
    ...(file === undefined
      ? {}
      : {
          locations: [
            {
              physicalLocation: {
                artifactLocation: {
                  uri: file.split('\\').join('/').split('/').map(encodeURIComponent).join('/'),
                },
                ...region,
              },
            },
          ],
        }),
  };
}
