import type { ScenarioInfo } from '../../mock/mock-types.ts';
import type { Delivery } from '../../mock/scenarios/scenario.ts';

/** The query parameter with the payload of an event. */
export interface PayloadParameter {
  name: string;
  /** How the payload is encoded before it is written into the URL. */
  encoding: 'base64' | 'base64url' | 'utf8';
}

/** An event as it is sent. */
export interface EventMessage {
  headers: Record<string, string>;
  payload: string;
  /** Set if the payload is sent in a query parameter, and not as the body. */
  parameter?: PayloadParameter | undefined;
  delivery?: Delivery;
  /** Which signatures it has (default: the right one). */
  signatures?: readonly ('right' | 'wrong' | 'other version')[];
  /** Difference between its timestamp and the time, in seconds (default: 0). */
  skewSeconds?: number;
  /** How often it is sent, with the same ID (default: once). */
  times?: number;
  /** Whether the names of headers are written in upper case. */
  hasUpperCaseHeaders?: boolean;
}

/** A kind of event that every receiver must be able to handle, or must reject. */
export interface EventScenario extends ScenarioInfo {
  /** Whether it needs a secret to sign with. */
  needsSecret: boolean;
  /** @param name the type of the event */
  change: (message: EventMessage, name: string) => EventMessage | undefined;
}
