import { existsSync } from 'node:fs';
import { rewordAjvMessage } from '../../../server/lib/ajv-message.ts';
import { percentDecode } from '../../lib/json-pointer.ts';
import { runRedocly } from '../../lib/redocly-cli.ts';
import { isInData } from '../load/references-in-data.ts';

/** A problem that a rule has found. */
export interface LintProblem {
  ruleId: string;
  severity: 'error' | 'warn';
  message: string;
  suggest?: string[];
  location: { source: { ref: string }; pointer?: string }[];
}

/**
 * Lints documents with Redocly. Where it reads references differently from the loader, the loader decides: references in data are
 * data, and names of files can be percent-encoded.
 * @param files paths of root files, whose limits were checked before
 * @param configuration path of Redocly's configuration
 * @throws Error if Redocly does not report on every file, such as one that it cannot parse
 */
export async function lintDocuments(files: readonly string[], configuration: string): Promise<LintProblem[]> {
  const { output, errors } = await runRedocly([
    ...['lint', ...files, '--config', configuration],
    ...['--format', 'json', '--max-problems', '1000'],
  ]);
  const reports = reportsIn(output);
  // Redocly writes no report for a file that it cannot parse.
  if (reports.length !== files.length)
    throw new Error(
      `redocly lint did not report on every file: ${errors.trim() || output.trim().slice(0, 300)}`,
    );
  return reports.flatMap(({ problems }) => problems.map(reworded).flatMap(corrected));
}

/** Words the violations of examples as all tools do. Redocly shows the messages of Ajv. */
function reworded(problem: LintProblem): LintProblem {
  const [, part, violation, extra] =
    /^Example value must conform to the schema: (?:`(.*?)` property )?(.*?)(?: `(.*)`)?\.$/s.exec(
      problem.message,
    ) ?? [];
  if (violation === undefined) return problem;
  const [, missing] = /^must have required property '(.*)'$/.exec(violation) ?? [];
  const name = missing ?? extra ?? part ?? 'it';
  return {
    ...problem,
    message: `The example is invalid: ${name} ${rewordAjvMessage(violation, problem.suggest)}.`,
  };
}

/** Corrects problems that the loader does not have. */
function corrected(problem: LintProblem): LintProblem[] {
  const { ruleId, message, location } = problem;
  const [place] = location;
  // A schema can be true or false (JSON Schema Core 2020-12, section 4.3.2).
  if (message.startsWith('Expected type `Schema` (object) but got `boolean`')) return [];
  const isAboutReferences = ruleId === 'no-unresolved-refs' || ruleId === 'spec-ref-siblings';
  if (!isAboutReferences || place === undefined) return [problem];
  if (isInData((place.pointer ?? '').replace(/^#/, ''))) return [];
  const [, path = ''] = /'([^']*%[^']*)'$/.exec(message) ?? [];
  if (path === '' || !existsSync(percentDecode(path))) return [problem];
  return [
    {
      ...problem,
      severity: 'warn',
      message: `The rules do not read ${percentDecode(path)}, because Redocly does not decode names of files. Write the reference without percent-encoding, or lint the bundle that generate writes.`,
    },
  ];
}

/** Parses the output of Redocly, which prints several JSON reports without a separator. */
function reportsIn(text: string): { problems: LintProblem[] }[] {
  try {
    return text
      .split(/(?<=^\})(?=\{)/m)
      .filter((part) => part.trim() !== '')
      .map((part) => JSON.parse(part));
  } catch {
    return [];
  }
}
