import { rmSync, writeFileSync } from 'node:fs';
import type { Prng } from '../../lib/prng.ts';
import type { SystemCall } from './system-calls.ts';

/** The size of a sector in bytes. A disk writes a sector either completely or not at all. */
const sectorBytes = 512;

type Pending = Extract<SystemCall, { did: 'write' | 'truncate' }>;

interface File {
  /** Synced data. */
  kept: Buffer;
  /** Writes and truncations that are not synced yet. */
  pending: Pending[];
}

/** Models a disk that executes system calls, and the possible contents of the disk after a power loss. */
export function createDisk() {
  const files = new Map<string, File>();
  const of = (path: string): File => {
    const file = files.get(path) ?? { kept: Buffer.alloc(0), pending: [] };
    files.set(path, file);
    return file;
  };
  return {
    take(call: SystemCall): void {
      if (call.did === 'write' || call.did === 'truncate') of(call.path).pending.push(call);
      else if (call.did === 'sync') {
        const file = of(call.path);
        file.kept = file.pending.reduce(changed, file.kept);
        file.pending = [];
      } else if (call.did === 'remove') files.delete(call.path);
    },
    /**
     * Writes the files that the disk contains after the power loss.
     * @param left the writes that the disk contains: all, only synced ones, or also random parts of the unsynced ones
     */
    writeTo(nameOf: (path: string) => string, left: 'all' | 'kept' | Prng): void {
      for (const [path, { kept, pending }] of files) {
        const content =
          left === 'all'
            ? pending.reduce(changed, kept)
            : left === 'kept'
              ? kept
              : pending.reduce((bytes, call) => torn(bytes, call, left), kept);
        if (content.length === 0 && left !== 'all') rmSync(nameOf(path), { force: true });
        else writeFileSync(nameOf(path), content);
      }
    },
  };
}

function changed(bytes: Buffer, call: Pending): Buffer {
  if (call.did === 'truncate') {
    const next = Buffer.alloc(call.length);
    bytes.copy(next);
    return next;
  }
  const next = Buffer.alloc(Math.max(bytes.length, call.at + call.bytes.length));
  bytes.copy(next);
  call.bytes.copy(next, call.at);
  return next;
}

/** Applies a write of which only random sectors reached the disk. */
function torn(bytes: Buffer, call: Pending, prng: Prng): Buffer {
  if (call.did === 'truncate') return prng.below(2) === 0 ? bytes : changed(bytes, call);
  let next = bytes;
  for (let from = 0; from < call.bytes.length; from += sectorBytes)
    if (prng.below(2) === 0)
      next = changed(next, {
        did: 'write',
        path: call.path,
        at: call.at + from,
        bytes: call.bytes.subarray(from, from + sectorBytes),
      });
  return next;
}
