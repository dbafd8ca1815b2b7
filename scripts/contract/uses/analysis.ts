import type ts from 'typescript';
import { createTypeFacts, type TypeFacts } from './contents.ts';
import type { ContractTypes } from './contract-types.ts';
import { createConversions } from './conversions.ts';
import { createPlaces, type Place } from './manifest.ts';
import { createLeaks, createUsesRecorder, type Leaks, type UsesRecorder } from './uses-recorder.ts';

/** The shared state of the functions that visit a consumer's sources. */
export interface Analysis {
  contract: ContractTypes;
  facts: TypeFacts;
  recorder: UsesRecorder;
  leaks: Leaks;
  convert: (source: ts.Type, target: ts.Type, at: Place) => void;
  placeOf: (node: ts.Node) => Place;
  /** Whether a file belongs to the consumer, and not to a package or the contract. */
  isOwn: (file: ts.SourceFile) => boolean;
}

/**
 * @param folder folder of the consumer's project; places are relative to it
 */
export function createAnalysis(program: ts.Program, contract: ContractTypes, folder: string): Analysis {
  const recorder = createUsesRecorder();
  const placeAt = createPlaces(folder);
  const leaks = createLeaks(recorder);
  const facts = createTypeFacts(program.getTypeChecker(), contract);
  return {
    contract,
    facts,
    recorder,
    leaks,
    convert: createConversions(facts, recorder, leaks),
    placeOf(node) {
      const file = node.getSourceFile();
      return placeAt(file, node.getStart(file));
    },
    isOwn: (file) =>
      file !== contract.file &&
      !file.isDeclarationFile &&
      !file.fileName.includes('/node_modules/') &&
      !program.isSourceFileFromExternalLibrary(file),
  };
}
