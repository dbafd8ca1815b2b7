/** A bug that is inserted into the source. */
export type Mutant = {
  /** Description of the bug. `--name` selects mutants by it. */
  name: string;
  /** The check that kills the mutant: `types`, `lint`, or `FILE > TEST`. `--find-killers` determines this check. */
  killedBy: string;
  /** The code to replace. It must occur exactly once in the declaration or file. */
  from: string;
  to: string;
} & (
  | {
      /**
       * The name of a top-level function or constant in `server/`. Unlike a line number, the name stays correct when
       * code is moved, formatted or changed elsewhere.
       */
      declaration: string;
    }
  | { file: string }
);
