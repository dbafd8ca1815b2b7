/** A mistake in a document, with the location that has to change. */
export interface Diagnosis {
  /** JSON Pointer into the bundled document. */
  pointer: string;
  message: string;
  /** The remedy. */
  fix: string;
}
