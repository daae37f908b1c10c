import { readSync, writeSync } from 'node:fs'
import type { Bytes } from './messages.ts'

const [INPUT, OUTPUT] = [0, 1]

/**
 * What a process is handed. It has nothing else to do meanwhile, so it waits, and bytes come to where they are wanted
 * without being copied on the way.
 */
export const input: Bytes = {
  async take(length) {
    const taken = Buffer.allocUnsafeSlow(length)
    for (let filled = 0; filled < length; ) {
      const read = readSync(INPUT, taken, filled, length - filled, null)
      if (read === 0) throw new Error('the other side ended')
      filled += read
    }
    return taken
  },
}

/** Hands something back; waits until it is taken. */
export function output(bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(OUTPUT, bytes, written)
}
