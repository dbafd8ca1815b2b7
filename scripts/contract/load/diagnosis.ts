import type { Contract } from '../model/contract.ts';

/** A mistake in a document, with the location that has to change. */
export interface Diagnosis {
  /** JSON Pointer into the bundled document. */
  pointer: string;
  message: string;
  /** The remedy. */
  fix: string;
}

/** A part of a document that the tools leave out, or read differently. */
export interface Note {
  /** JSON Pointer into the bundled document; undefined if the sentence is about the whole document. */
  pointer?: string;
  /** A sentence that says what the tools do. */
  sentence: string;
  /** The remedy, if it is not obvious. */
  fix?: string;
}

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
