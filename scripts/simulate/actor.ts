export type Work = () => void;

/** A process or a client. Its tasks run one at a time, in order; between two of them, any other actor may run. */
export interface Actor {
  name: string;
  /** Results of queries. While some are outstanding, the process is in the middle of a task, and begins no other. */
  queries: Work[];
  outstanding: number;
  tasks: Work[];
  isAlive: boolean;
  /** The actor runs nothing before this time, in milliseconds of the simulation. */
  stalledUntil: number;
  /** For how long the actor is suspended at its next query, in milliseconds. */
  stallAtQueryMs: number;
}

/** Work of an actor at a time of the simulation. */
export interface Timer {
  /** Milliseconds since the start of the simulation. */
  at: number;
  actor: Actor;
  work: Work;
  isCanceled: boolean;
}
