import type { Fleet, FleetOptions } from './fleet.ts';

/** Something that breaks while the service is at work. */
export interface InjectedFault {
  name: string;
  /** What happens, in a sentence. */
  what: string;
  fleet?: FleetOptions;
  /** Breaks it, waits, and mends it. @returns the address of the database that is there then, where it is another one */
  happen(fleet: Fleet): Promise<string | undefined>;
}
