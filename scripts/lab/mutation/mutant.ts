/** A bug that is inserted into the source. */
export type Mutant = {
  /** Description, by which the mutant is selected. */
  name: string;
  /** The check that kills it: `types`, `lint`, or `FILE > TEST`. `--find-killers` determines it. */
  killedBy: string;
  /** The code to replace. It must occur exactly once in the declaration or file. */
  from: string;
  to: string;
} & (
  | {
      /**
       * A function or constant at the top of a module of `server/`. Unlike a line of source, it survives moves,
       * formatting and changes elsewhere.
       */
      declaration: string;
    }
  | { file: string }
);
