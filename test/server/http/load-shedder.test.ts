import { expect, test } from 'vitest';
import { createLoadShedder } from '../../../server/http/load-shedder.ts';

/** An event loop whose time is told by hand. */
function loop() {
  let at = 0;
  let worked = 0;
  let answerMs = 0.2;
  let ends: (() => void)[] = [];
  const loadShedder = createLoadShedder({
    now: () => at,
    afterEventLoopTurn: (work) => ends.push(work),
    worked: () => worked,
  });
  return {
    loadShedder,
    /** A turn in which these arrive. To turn one away takes 0.04 ms. @returns whom it let in */
    turn(arrived: readonly (string | undefined)[]) {
      const admitted = arrived.filter((who) => {
        const taken = loadShedder.admit(who);
        const took = taken ? answerMs : 0.04;
        at += took;
        worked += took;
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
    /** Until then 0.2 ms. */
    answersTake(ms: number) {
      answerMs = ms;
    },
  };
}

type Loop = ReturnType<typeof loop>;

/** So many for each second, for some milliseconds. @returns how many came, how many were let in, and the longest turn */
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

test('what can be answered is let in, and so is a burst of some hundreds', () => {
  const quiet = loop();
  expect(load(quiet, 4_000, 3_000)).toMatchObject({ came: 11_999, admitted: 11_999 });
  expect(quiet.turn(Array(400).fill('one'))).toHaveLength(400);
  expect(quiet.loadShedder.isOverloaded()).toBe(false);
});

test('of thousands that come at the same moment those are turned away who would wait longest', () => {
  const admitted = loop().turn(Array(5_000).fill('one')).length;
  // A tenth of a second, with 0.2 ms each.
  expect(admitted).toBeGreaterThan(490);
  expect(admitted).toBeLessThan(510);
});

test('who stands behind one that takes long is not refused for it', () => {
  const { loadShedder, rest } = loop();
  expect(loadShedder.admit('one')).toBe(true);
  rest(400);
  expect(loadShedder.admit('one')).toBe(true);
});

test('of three times as much a part is turned away, and no turn takes longer than a few answers', () => {
  const busy = loop();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 500);
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  const { came, admitted, longest } = load(busy, 15_000, 5_000);
  expect(longest).toBeLessThan(4);
  expect(admitted).toBeGreaterThan(5_000);
  expect(admitted).toBeLessThan(came / 2);
});

test('half a second after the load has gone everything is let in again', () => {
  const busy = loop();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 2_000);
  load(busy, 2_000, 700);
  expect(busy.loadShedder.isOverloaded()).toBe(false);
  const after = load(busy, 2_000, 1_000);
  expect(after.admitted).toBe(after.came);
});

test('one who asks for little is let in while others flood', () => {
  const busy = loop();
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

test('beside one who asks for little, a turn of those who flood holds less, for as long as he is there', () => {
  const flood = loop();
  load(flood, 4_000, 1_000);
  load(flood, 15_000, 500);
  const admittedOf = (who: string[]) =>
    flood.turn([...who, ...Array(60).fill('one')]).filter((each) => each === 'one').length;
  expect(admittedOf([])).toBe(4);
  for (let time = 0; time < 300; time += 1) admittedOf(time % 20 === 0 ? ['other'] : []);
  // The turn is his.
  expect(admittedOf(['other'])).toBe(0);
  expect(admittedOf([])).toBe(1);
  load(flood, 15_000, 1_100);
  expect(admittedOf([])).toBe(4);
});

test('one who asks once a second is let in each time while one company floods', () => {
  const busy = loop();
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

test('whoever is not known shares with all who are not', () => {
  const busy = loop();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 500, 'flood');
  let admitted = 0;
  for (let count = 0; count < 500; count += 1) admitted += busy.turn(Array(30).fill(undefined)).length;
  expect(admitted).toBe(500 * 4);
});

test('what waits is a crowd, too; one who has much of it in work begins no more, and others do', () => {
  const { loadShedder, turn, rest } = loop();
  const begin = (who: string, count: number) => {
    let begun = 0;
    for (const each of turn(Array(count).fill(who))) if (loadShedder.acquire(each)) begun += 1;
    rest(5);
    return begun;
  };
  let waiting = 0;
  // As many at once as a token may send are begun.
  expect(begin('much', 200)).toBe(200);
  waiting = 200;
  for (let count = 0; count < 40; count += 1) waiting += begin('much', 20);
  expect(waiting).toBeLessThanOrEqual(256);
  expect(loadShedder.isOverloaded()).toBe(true);
  expect(begin('much', 20)).toBe(0);
  expect(begin('other', 1)).toBe(1);
  for (let count = 0; count < waiting; count += 1) loadShedder.release('much');
  // Beside the other one.
  expect(begin('much', 4)).toBe(1);
});

test('two bursts with a pause between them are no crowd', () => {
  const { loadShedder, turn, rest } = loop();
  for (let count = 0; count < 5; count += 1) {
    expect(turn(Array(80).fill('one'))).toHaveLength(80);
    rest(1_000);
  }
  expect(loadShedder.isOverloaded()).toBe(false);
});

test('where answers get cheaper, as many are let in as can be answered now', () => {
  const busy = loop();
  busy.answersTake(2);
  load(busy, 250, 1_000);
  load(busy, 2_000, 1_000);
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  busy.answersTake(0.2);
  load(busy, 2_000, 2_000);
  expect(busy.loadShedder.isOverloaded()).toBe(false);
  const after = load(busy, 2_000, 1_000);
  expect(after.admitted).toBe(after.came);
});

test.each([
  ['after quiet times', 1_000],
  ['from the first request on', 0],
])('a flood that stays one is not let in, however long it lasts: %s', (_when, quietMs) => {
  const busy = loop();
  load(busy, 4_000, quietMs);
  load(busy, 15_000, 500);
  for (let second = 0; second < 100; second += 1) {
    load(busy, 15_000, 1_000);
    expect(busy.loadShedder.isOverloaded()).toBe(true);
  }
});

test('what ends in heaps while more is always begun is a crowd', () => {
  const { loadShedder, turn, rest } = loop();
  let inFlight = 0;
  // As where writes share a commit: for a moment less is in work than there is room for, again and again.
  for (let count = 0; count < 20; count += 1) {
    for (let each = 0; each < 40; each += 1)
      if (loadShedder.admit('one') && loadShedder.acquire('one')) inFlight += 1;
    turn([]);
    rest(10);
    for (; inFlight > 60; inFlight -= 1) loadShedder.release('one');
  }
  expect(loadShedder.isOverloaded()).toBe(true);
});

test('what was in work and has ended is no crowd, whenever as much is in work again', () => {
  const { loadShedder, turn, rest } = loop();
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

test('after a while in which nothing came everything is let in from the first request on', () => {
  const busy = loop();
  load(busy, 4_000, 1_000);
  load(busy, 15_000, 2_000);
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  busy.rest(600);
  expect(busy.turn(Array(60).fill('one'))).toHaveLength(60);
  expect(busy.loadShedder.isOverloaded()).toBe(false);
});

test('the only company that there is, is let in while strangers flood', () => {
  const busy = loop();
  load(busy, 4_000, 1_000, 'company');
  let [asked, admitted] = [0, 0];
  for (let count = 0; count < 3_000; count += 1) {
    const arrived: (string | undefined)[] = Array(80).fill(undefined);
    // Behind the strangers.
    if (count % 10 === 0) arrived.push('company');
    const taken = busy.turn(arrived).filter((who) => who === 'company').length;
    if (count < 300) continue;
    asked += count % 10 === 0 ? 1 : 0;
    admitted += taken;
  }
  expect(busy.loadShedder.isOverloaded()).toBe(true);
  expect(admitted / asked).toBeGreaterThan(0.97);
});
