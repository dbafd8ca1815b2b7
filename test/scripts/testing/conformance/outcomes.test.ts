import { expect, test } from 'vitest';
import { countOutcome, type OutcomeCounts } from '../../../../scripts/testing/conformance/outcomes.ts';

test('counts rejections together if their bodies differ in IDs only', () => {
  const outcomes = new Map<string, OutcomeCounts>();
  const reject = (body: string) => countOutcome(outcomes, 'getPhoto', { status: 404, body });
  const bodies = [
    'no pet 7',
    'no pet 12',
    'no pet 7f3a0c1e-0d5b',
    'no pet a1b2c3d4-77aa',
    'no photo of pet 7',
  ];
  bodies.forEach(reject);
  expect(outcomes.get('getPhoto')).toEqual({
    sent: bodies.length,
    accepted: 0,
    rejections: [
      { status: 404, body: bodies[0], count: 4 },
      { status: 404, body: bodies[4], count: 1 },
    ],
  });
});
