import type { ScenarioInfo } from '../../contract/page-mock/mock-types.ts';
import type { ClientGenerator } from './catalog.ts';
import { type MatrixCell, type MatrixColumn, maxWaitMs } from './run-generator.ts';

/** Returns a generator's name with its version. */
export const versionOf = ({ name, packages }: ClientGenerator): string => `${name} ${packages[name]}`;

const heading = '## Results\n';

/** Formats what clients cannot handle, and the whole matrix, as Markdown. */
export function formatMatrix(columns: readonly MatrixColumn[], scenarios: readonly ScenarioInfo[]): string {
  const reasons = columns.flatMap(({ generator, cells }) =>
    cells.flatMap(({ scenario, problem, remedies }) =>
      problem
        ? [
            [
              versionOf(generator),
              code(scenario),
              describeProblem(problem),
              remedies.join(', or ') || 'none known',
            ],
          ]
        : [],
    ),
  );
  const run = new Set(columns.flatMap(({ cells }) => cells.map(({ scenario }) => scenario)));
  const rows = scenarios
    .filter(({ name }) => run.has(name))
    .map(({ name, class: kind }) => [
      code(name),
      kind,
      ...columns.map(({ cells }) => {
        const cell = cells.find(({ scenario }) => scenario === name);
        return cell === undefined ? '–' : (cell.problem?.kind ?? '✔');
      }),
    ]);
  return [
    table(['generator', 'scenario', 'what happens', 'survives with'], reasons),
    table(['scenario', 'class', ...columns.map(({ generator }) => versionOf(generator))], rows),
  ].join('\n\n');
}

/** Replaces the last section of a guide. @throws Error if its heading is missing */
export function replaceMatrix(guide: string, matrix: string): string {
  const at = guide.indexOf(heading);
  if (at < 0) throw new Error(`The guide needs the heading ${heading.trim()}.`);
  return `${guide.slice(0, at)}${heading}\n${matrix}\n`;
}

const describeProblem = ({ kind, message }: NonNullable<MatrixCell['problem']>): string =>
  `${kind}: ${kind === 'time-out' ? `no result after ${maxWaitMs / 1_000} s` : message.split(': ', 1)}`;

const code = (text: string): string => `\`${text}\``;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
