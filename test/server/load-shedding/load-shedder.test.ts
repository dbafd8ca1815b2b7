import { expect, test } from 'vitest';
import { createLoadShedder } from '../../../server/load-shedding/load-shedder.ts';

/** Creates a load shedder with a simulated event loop and a manual clock. */
function createSimulation() {
  let at = 0;
  let answerMs = 0.2;
  let ends: (() => void)[] = [];
  const loadShedder = createLoadShedder(
    () => at,
    (work) => ends.push(work),
  );
  return {
    loadShedder,
    /**
     * Runs a turn of the event loop in which requests arrive. Shedding a request takes 0.04 ms.
     * @param arrived the company of each request; undefined for an unauthenticated client
     * @returns the companies of the admitted requests
     */
    turn(arrived: readonly (string | undefined)[]) {
      const admitted = arrived.filter((who) => {
        const taken = loadShedder.admit(who);
        const took = taken ? answerMs : 0.04;
        at += took;
        return taken;
      });
      for (const end of ends) end();
      ends = [];
      return admitted;
    },
    rest(ms: number) {
      at += ms;
    },
    now: () => at,
    /** Sets how long each admitted request takes. Initially, a request takes 0.2 ms. */
    setRequestDuration(ms: number) {
      answerMs = ms;
    },
  };
}

type Loop = ReturnType<typeof createSimulation>;

/**
 * Sends requests of one company at a fixed rate for `ms` milliseconds.
 * @returns the numbers of requests sent and admitted, and the duration of the longest turn in milliseconds
 */
function load({ turn, rest, now }: Loop, perSecond: number, ms: number, who = 'one') {
  const until = now() + ms;
  let [came, admitted, longest, before] = [0, 0, 0, now()];
  while (now() < until) {
    const arrived = Math.floor(((now() - before) * perSecond) / 1_000);
    if (arrived === 0) rest(0.05);
    else {
      const began = now();
      before += (arrived * 1_000) / perSecond;
      admitted += turn(Array(arrived).fill(who)).length;
      came += arrived;
      longest = Math.max(longest, now() - began);
    }
  }
  return { came, admitted, longest };
}

test('admits load within its capacity, and a burst of a few hundred requests', () => {
  const quiet = createSimulation();
  expect(load(quiet, 4_000, 3_000)).toMatchObject({ came: 11_999, admitted: 11_999 });
  expect(quiet.turn(Array(400).fill('one'))).toHaveLength(400);
  expect(quiet.loadShedder.isOverloaded()).toBe(false);
});

test('admits simultaneous requests for 100 ms and sheds the rest', () => {
  const admitted = createSimulation().turn(Array(5_000).fill('one')).length;
  // A turn admits requests for 100 ms, and each takes 0.2 ms.
  expect(admitted).toBeGreaterThan(490);
  expect(admitted).toBeLessThan(510);
});

test('does not shed a request because the previous request was slow', () => {
  const { loadShedder, rest } = createSimulation();
  expect(loadShedder.admit('one')).toBe(true);
  rest(400);
  expect(loadShedder.admit('one')).toBe(true);
});

test('at three times its capacity, sheds enough requests to keep every turn shorter than 4 ms', () => {
  const busy = createSimulation();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 500);
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  const { came, admitted, longest } = load(busy, 15_000, 5_000);
  expect(longest).toBeLessThan(4);
  expect(admitted).toBeGreaterThan(5_000);
  expect(admitted).toBeLessThan(came / 2);
});

test('admits all requests again within 700 ms after an overload', () => {
  const busy = createSimulation();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 2_000);
  load(busy, 2_000, 700);
  expect(busy.loadShedder.isOverloaded()).toBe(false);
  const after = load(busy, 2_000, 1_000);
  expect(after.admitted).toBe(after.came);
});

test('admits nearly all requests of a company that sends few while another company floods', () => {
  const busy = createSimulation();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 500, 'flood');
  let [asked, answered] = [0, 0];
  for (let count = 0; count < 3_000; count += 1) {
    const arrived = Array(30).fill('flood');
    if (count % 20 === 0) arrived.push('little');
    asked += arrived.includes('little') ? 1 : 0;
    answered += busy.turn(arrived).filter((who) => who === 'little').length;
  }
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  expect(answered / asked).toBeGreaterThan(0.97);
});

test('admits fewer requests of a flooding company per turn while a company with few requests is active', () => {
  const flood = createSimulation();
  load(flood, 4_000, 1_000);
  load(flood, 15_000, 500);
  const admittedOf = (who: string[]) =>
    flood.turn([...who, ...Array(60).fill('one')]).filter((each) => each === 'one').length;
  expect(admittedOf([])).toBe(4);
  for (let time = 0; time < 300; time += 1) admittedOf(time % 20 === 0 ? ['other'] : []);
  // The request of the other company uses up the turn's limit of 1.
  expect(admittedOf(['other'])).toBe(0);
  expect(admittedOf([])).toBe(1);
  load(flood, 15_000, 1_100);
  expect(admittedOf([])).toBe(4);
});

test('always admits a company that sends one request per second while another floods', () => {
  const busy = createSimulation();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 500, 'flood');
  let answered = 0;
  for (let count = 0; count < 20; count += 1) {
    load(busy, 15_000, 1_000, 'flood');
    answered += busy.turn([...Array(15).fill('flood'), 'rare', ...Array(15).fill('flood')]).includes('rare')
      ? 1
      : 0;
  }
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  expect(answered).toBe(20);
});

test('under overload, all unauthenticated clients share one limit', () => {
  const busy = createSimulation();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 500, 'flood');
  let admitted = 0;
  for (let count = 0; count < 500; count += 1) admitted += busy.turn(Array(30).fill(undefined)).length;
  expect(admitted).toBe(500 * 4);
});

test('counts many requests in flight as overload, and then sheds only the company with the most of them', () => {
  const { loadShedder, turn, rest } = createSimulation();
  const begin = (who: string, count: number) => {
    let begun = 0;
    for (const each of turn(Array(count).fill(who))) if (loadShedder.acquire(each)) begun += 1;
    rest(5);
    return begun;
  };
  let waiting = 0;
  // A token may send a burst of 200 requests.
  expect(begin('much', 200)).toBe(200);
  waiting = 200;
  for (let count = 0; count < 40; count += 1) waiting += begin('much', 20);
  expect(waiting).toBeLessThanOrEqual(256);
  expect(loadShedder.isOverloaded()).toBe(true);
  expect(begin('much', 20)).toBe(0);
  expect(begin('other', 1)).toBe(1);
  for (let count = 0; count < waiting; count += 1) loadShedder.release('much');
  // The other company was active less than 500 ms ago, so a turn admits only 1 request of a flooding company.
  expect(begin('much', 4)).toBe(1);
});

test('does not count bursts with pauses between them as overload', () => {
  const { loadShedder, turn, rest } = createSimulation();
  for (let count = 0; count < 5; count += 1) {
    expect(turn(Array(80).fill('one'))).toHaveLength(80);
    rest(1_000);
  }
  expect(loadShedder.isOverloaded()).toBe(false);
});

test('admits all requests again after they become cheaper to process', () => {
  const busy = createSimulation();
  busy.setRequestDuration(2);
  load(busy, 250, 1_000);
  load(busy, 2_000, 1_000);
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  busy.setRequestDuration(0.2);
  load(busy, 2_000, 2_000);
  expect(busy.loadShedder.isOverloaded()).toBe(false);
  const after = load(busy, 2_000, 1_000);
  expect(after.admitted).toBe(after.came);
});

test.each([
  ['after quiet times', 1_000],
  ['from the first request on', 0],
])('stays overloaded as long as a flood lasts: %s', (_when, quietMs) => {
  const busy = createSimulation();
  load(busy, 4_000, quietMs);
  load(busy, 15_000, 500);
  for (let second = 0; second < 100; second += 1) {
    load(busy, 15_000, 1_000);
    expect(busy.loadShedder.isOverloaded()).toBe(true);
  }
});

test('requests that complete in bursts while more are started count as overload', () => {
  const { loadShedder, turn, rest } = createSimulation();
  let inFlight = 0;
  // This happens when writes share a commit: the number in flight repeatedly falls below 64 for a short time.
  for (let count = 0; count < 20; count += 1) {
    for (let each = 0; each < 40; each += 1)
      if (loadShedder.admit('one') && loadShedder.acquire('one')) inFlight += 1;
    turn([]);
    rest(10);
    for (; inFlight > 60; inFlight -= 1) loadShedder.release('one');
  }
  expect(loadShedder.isOverloaded()).toBe(true);
});

test('does not count repeated bursts as overload if each burst completes before the next one', () => {
  const { loadShedder, turn, rest } = createSimulation();
  for (let count = 0; count < 5; count += 1) {
    for (let each = 0; each < 80; each += 1)
      expect(loadShedder.admit('one') && loadShedder.acquire('one')).toBe(true);
    turn([]);
    rest(20);
    for (let each = 0; each < 80; each += 1) loadShedder.release('one');
    rest(1_000);
  }
  expect(loadShedder.isOverloaded()).toBe(false);
});

test('admits all requests again after a pause without requests', () => {
  const busy = createSimulation();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 2_000);
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  busy.rest(600);
  expect(busy.turn(Array(60).fill('one'))).toHaveLength(60);
  expect(busy.loadShedder.isOverloaded()).toBe(false);
});

test('admits nearly all requests of a company while unauthenticated clients flood', () => {
  const busy = createSimulation();
  load(busy, 4_000, 1_000, 'company');
  let [asked, admitted] = [0, 0];
  for (let count = 0; count < 3_000; count += 1) {
    const arrived: (string | undefined)[] = Array(80).fill(undefined);
    // The company's request arrives behind those of the unauthenticated clients.
    if (count % 10 === 0) arrived.push('company');
    const taken = busy.turn(arrived).filter((who) => who === 'company').length;
    if (count < 300) continue;
    asked += count % 10 === 0 ? 1 : 0;
    admitted += taken;
  }
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  expect(admitted / asked).toBeGreaterThan(0.97);
});
