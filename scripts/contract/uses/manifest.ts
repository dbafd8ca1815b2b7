import { relative, sep } from 'node:path';
import type ts from 'typescript';

/** A place in the consumer's sources, relative to the folder of its project, such as `src/cart.ts:41`. */
export type Place = string;

export const comparePlaces = (one: Place, other: Place): number =>
  one.localeCompare(other, 'en', { numeric: true });

/** Creates a function that names the line of a position. @param folder folder of the consumer's project */
export const createPlaces =
  (folder: string) =>
  (file: ts.SourceFile, position: number): Place => {
    const { line } = file.getLineAndCharacterOfPosition(position);
    return `${relative(folder, file.fileName).split(sep).join('/')}:${line + 1}`;
  };

export interface ContractFacts {
  /** The schemas that each composed schema consists of. */
  composed: Record<string, string[]>;
  /** The schemas of bodies that have no properties of their own, such as maps: each use of them counts. */
  bodies: string[];
  /**
   * The used schemas that no called operation and no handled event contains: the program gets their values elsewhere, or
   * only imports their types.
   */
  elsewhere: string[];
}

/** Parts of the contract whose every property counts as used, because a value leaves the analysis. */
export interface Escape {
  schemas: string[];
  operations: string[];
  reason: string;
  at: Place;
}

/** The parts of a contract that a consumer uses. It contains no source text. */
export interface UsesManifest {
  manifest: 1;
  consumer: string;
  /** Facts about the contract that the consumer's types contain. */
  contract: ContractFacts;
  /** Called operations. If one is `open`, the consumer reads the response in a way that the analysis does not see. */
  operations: { operation: string; open: boolean; at: Place[] }[];
  /** Properties of responses and events that are read. */
  reads: (PropertyUse & { refersTo: string[] })[];
  /** Objects that are sent. */
  sends: (Owner & SentObject & { at: Place[] })[];
  parameters: { operation: string; in: string; name: string; at: Place[] }[];
  /** Names of response headers that are read. */
  headers: { name: string; at: Place[] }[];
  /** Error codes of the contract that the program compares with that of a response. */
  codes: { code: string; at: Place[] }[];
  /** Types of events that are handled; `*` for a property of events whose type is not known. */
  events: { type: string; at: Place[] }[];
  /** Calls that validate received events with the contract of their build. */
  validatesEvents: Place[];
  escapes: Escape[];
}

/** An object that is sent, or a part of one. */
export interface SentObject {
  properties: string[];
  /** The properties that each of these objects has. */
  always: string[];
  /** Whether an object may have other properties too. */
  open: boolean;
}

/** The schema or operation that declares a property. */
export interface Owner {
  schema: string | undefined;
  operation: string | undefined;
}

export interface PropertyUse extends Owner {
  /** The name of the property; `*` for all of them. */
  property: string;
  at: Place[];
}
