import type { Prng } from '../lib/prng.ts';
import type { Query } from './checks.ts';
import type { SimulatedCompany } from './create-company.ts';
import type { DiskContent } from './environment.ts';
import type { Model } from './model.ts';
import type { Plan } from './plan.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { ServiceProcess } from './service-process.ts';

/** A webhook request that has been sent and has not ended. */
export interface Sent {
  process: Actor;
  webhook: number;
  sequence: number;
  /** The name of the contact. */
  entity: string;
  company: number;
  body: string;
  at: number;
}

/** The state of a simulation that its actors share. */
export interface World {
  plan: Plan;
  scheduler: Scheduler;
  companies: readonly SimulatedCompany[];
  random: Prng;
  /** Milliseconds since the start of the simulation. */
  time: () => number;
  model: Model;
  /** Reads what is committed. */
  query: Query;
  /** Replaces the database while no process runs. */
  replaceDatabase: (content: DiskContent) => void;
  /** The processes by number; undefined while one is down. */
  processes: (ServiceProcess | undefined)[];
  inFlight: Set<Sent>;
  /** From 0 to 1: the share of requests and responses that are lost. */
  lossShare: number;
  /** Whether all receivers are fast now, so that the queue drains. */
  isHealed: boolean;
  counts: { requests: number; deliveries: number };
  /** Adds a line to the history. */
  note: (text: string) => void;
  /** Records that leases may end at other times, because a process was suspended or killed, a disk full, or a clock moved. */
  disturb: () => void;
  /** Whether that happened after a time, or so shortly before that leases of then have ended. */
  isDisturbed: (since: number) => boolean;
  /** Whether the clock was moved. */
  hasClockMoved: boolean;
}
