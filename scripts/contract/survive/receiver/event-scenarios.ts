import type { PromiseName } from '../../mock/mock-types.ts';
import type { EventScenario } from './event-scenario.ts';

const standardWebhooks = 'Standard Webhooks';

/** Scenarios that only events have. They are in addition to those of bodies and of HTTP. */
export const eventScenarios = (promises: readonly PromiseName[]): EventScenario[] => [
  {
    name: 'new-event-type',
    class: 'evolution',
    title: 'The event has a type that the contract does not document.',
    effect: 'nothing',
    legal: { promise: 'event-types' },
    needsSecret: false,
    change: (message, name) =>
      promises.includes('event-types') && message.payload.includes(`"${name}"`)
        ? { ...message, payload: message.payload.replaceAll(`"${name}"`, '"added.later"') }
        : undefined,
  },
  {
    name: 'header-case',
    class: 'http',
    title: 'The names of headers are written in upper case.',
    effect: 'nothing',
    legal: { standard: 'RFC 9110, section 5.1' },
    needsSecret: false,
    change: (message) => ({ ...message, hasUpperCaseHeaders: true }),
  },
  {
    name: 'duplicate-event',
    class: 'documented',
    title: 'The event is sent twice with the same ID, because the first response was lost.',
    effect: 'nothing',
    legal: { standard: `${standardWebhooks}, Deliverability` },
    needsSecret: false,
    change: (message) => ({ ...message, times: 2 }),
  },
  ...[-240, 240].map((skewSeconds): EventScenario => {
    const direction = skewSeconds < 0 ? 'behind' : 'ahead';
    return {
      name: `clock-${direction}`,
      class: 'documented',
      title: `The clock of the sender is four minutes ${direction}.`,
      effect: 'nothing',
      legal: { standard: `${standardWebhooks}, Verifying webhook authenticity: a tolerance of five minutes` },
      needsSecret: true,
      change: (message) => ({ ...message, skewSeconds }),
    };
  }),
  {
    name: 'two-signatures',
    class: 'documented',
    title: 'The event has two signatures while the secret is replaced, and the second one is right.',
    effect: 'nothing',
    legal: { standard: `${standardWebhooks}, Signature scheme` },
    needsSecret: true,
    change: (message) => ({ ...message, signatures: ['wrong', 'right'] }),
  },
  {
    name: 'signature-versions',
    class: 'documented',
    title: 'A signature of a version that the receiver does not know precedes the right one.',
    effect: 'nothing',
    legal: { standard: `${standardWebhooks}, Signature scheme` },
    needsSecret: true,
    change: (message) => ({ ...message, signatures: ['other version', 'right'] }),
  },
  {
    name: 'forged-signature',
    class: 'documented',
    title: 'The event has a wrong signature, so the receiver must reject it.',
    effect: 'error',
    legal: { standard: `${standardWebhooks}, Verifying webhook authenticity` },
    needsSecret: true,
    change: (message) => ({ ...message, signatures: ['wrong'] }),
  },
  {
    name: 'missing-signature',
    class: 'documented',
    title: 'The event has no signature, so the receiver must reject it.',
    effect: 'error',
    legal: { standard: `${standardWebhooks}, Verifying webhook authenticity` },
    needsSecret: true,
    change: (message) => ({ ...message, signatures: [] }),
  },
  {
    name: 'replayed-event',
    class: 'documented',
    title:
      'An attacker has recorded the event and sends it again after an hour, so the receiver must reject it.',
    effect: 'error',
    legal: { standard: `${standardWebhooks}, Verifying webhook authenticity: replay attacks` },
    needsSecret: true,
    change: (message) => ({ ...message, skewSeconds: -3_600 }),
  },
];
