import { relative, sep } from 'node:path';
import type ts from 'typescript';
import type { Place } from './manifest.ts';

/** Creates a function that names the line of a position. @param folder folder of the consumer's project */
export const createPlaces =
  (folder: string) =>
  (file: ts.SourceFile, position: number): Place => {
    const { line } = file.getLineAndCharacterOfPosition(position);
    return `${relative(folder, file.fileName).split(sep).join('/')}:${line + 1}`;
  };
