import type { Fleet, FleetOptions } from './fleet.ts';

/** A fault that an experiment injects. */
export interface InjectedFault {
  name: string;
  /** Description in one sentence. */
  what: string;
  fleet?: FleetOptions;
  /** Injects the fault and ends it. A fleet with a standby uses it afterwards. */
  happen(fleet: Fleet): Promise<void>;
}
