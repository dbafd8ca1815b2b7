import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDisk } from '../../../../scripts/lab/crash/disk-model.ts';
import { testPowerLoss } from '../../../../scripts/lab/crash/power-loss.ts';
import { createPrng } from '../../../../scripts/lib/prng.ts';
import { hasProgram } from '../../../support/installed-programs.ts';
import { isLong, seed } from '../../../support/sampling.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test.runIf(hasProgram('strace'))(
  'acknowledged writes survive a power loss between any two system calls',
  async () => {
    const { acknowledged, wrong } = await testPowerLoss(isLong ? 3_000 : 60, createPrng(seed));
    expect(wrong).toEqual([]);
    expect(acknowledged).toBe(40);
  },
  600_000,
);

test('the simulated disk keeps synced data, and keeps or loses each unsynced sector as a whole', async () => {
  const folder = await temporaryFolder();
  const left = (disk: ReturnType<typeof createDisk>, how: Parameters<typeof disk.writeTo>[1]) => {
    disk.writeTo((path) => join(folder, path), how);
    return existsSync(join(folder, 'a')) ? readFileSync(join(folder, 'a'), 'latin1') : undefined;
  };
  const disk = createDisk();
  disk.take({ did: 'write', path: 'a', at: 0, bytes: Buffer.from('kept') });
  expect(left(disk, 'kept')).toBeUndefined();
  disk.take({ did: 'sync', path: 'a' });
  disk.take({ did: 'write', path: 'a', at: 4, bytes: Buffer.from(', new') });
  expect([left(disk, 'kept'), left(disk, 'all')]).toEqual(['kept', 'kept, new']);
  const torn = new Set(Array.from({ length: 20 }, (_, at) => left(disk, createPrng(at))));
  expect(torn).toEqual(new Set(['kept', 'kept, new']));
  disk.take({ did: 'truncate', path: 'a', length: 2 });
  expect([left(disk, 'kept'), left(disk, 'all')]).toEqual(['kept', 'ke']);
});
