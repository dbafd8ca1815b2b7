import type { Fleet, FleetOptions } from './fleet.ts';

/** A fault that an experiment injects. */
export interface InjectedFault {
  name: string;
  /** Description in one sentence. */
  what: string;
  fleet?: FleetOptions;
  /** Injects the fault and ends it. @returns the new URL of the database if a failover has changed it */
  happen(fleet: Fleet): Promise<string | undefined>;
}
