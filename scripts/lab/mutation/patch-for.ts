import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import type { Patch } from '../../lib/project-copy.ts';
import type { Mutant } from './mutant.ts';

/**
 * Returns the source change that a mutant describes.
 * @throws Error if the mutant does not apply: its declaration or expression does not exist, or is not unique
 */
export function patchFor({ name, from, to, ...location }: Mutant): Patch {
  if ('file' in location) return { file: location.file, from, to };
  const { file, text } = findDeclaration(location.declaration);
  const [match, ...others] = text.matchAll(anySpacing(from));
  if (!match || others.length > 0)
    throw new Error(
      `The mutant "${name}" does not apply: ${location.declaration} in ${file} contains ${match ? 'several times' : 'nowhere'}: ${from}`,
    );
  const mutated = text.slice(0, match.index) + to + text.slice(match.index + match[0].length);
  return { file, from: text, to: mutated };
}

/** Returns the file and the text of a top-level declaration in `server/`. */
function findDeclaration(declaration: string): { file: string; text: string } {
  const [found, ...others] = globSync('server/**/*.ts').flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    if (!source.includes(declaration)) return [];
    const { statements } = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
    return statements
      .filter((statement) => declaredNames(statement).includes(declaration))
      .map((statement) => ({ file, text: statement.getText() }));
  });
  if (!found || others.length > 0)
    throw new Error(`${declaration} is declared ${found ? 'several times' : 'nowhere'} in server/.`);
  return found;
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return [statement.name?.text ?? ''];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map(({ name }) => name.getText());
}

/** Matches code regardless of spaces, line breaks and trailing commas. */
function anySpacing(code: string): RegExp {
  const tokens = code.match(/\w+|[^\s\w]/g) ?? [];
  const escaped = tokens.map((token) => token.replace(/\W/, '\\$&'));
  return new RegExp(
    escaped.map((token) => (/^\\[)\]}]$/.test(token) ? `,?\\s*${token}` : token)).join('\\s*'),
    'g',
  );
}
