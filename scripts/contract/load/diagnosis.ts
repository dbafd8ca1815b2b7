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
