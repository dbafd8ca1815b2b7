import type { Contract } from '../model/contract.ts';
import type { Note } from './diagnosis.ts';

/**
 * Returns a note as text: file, line, sentence and remedy.
 * @param api path of the contract's root file, for notes about the whole document
 */
export async function locateNote(
  api: string,
  { pointer, sentence, fix }: Note,
  locate: Contract['locate'],
): Promise<string> {
  const remedy = fix === undefined ? '' : `\n  → ${fix}`;
  if (pointer === undefined) return `${api}: ${sentence}${remedy}`;
  const { file, line, column } = await locate(pointer);
  return `${file}:${line}:${column} ${sentence}${remedy}`;
}
