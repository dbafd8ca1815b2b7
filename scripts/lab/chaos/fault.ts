import type { Fleet, FleetOptions } from './fleet.ts';

/** A fault that an experiment injects. */
export interface InjectedFault {
  name: string;
  /** Description in one sentence. */
  what: string;
  fleet?: FleetOptions;
  /** Injects the fault, waits, and ends it. @returns the URL of the database if it has changed */
  happen(fleet: Fleet): Promise<string | undefined>;
}
