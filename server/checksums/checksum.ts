import { Readable } from 'node:stream'
import { abortable } from '../lib/abortable.ts'
import { IDLE_TIME, WorkerClient } from '../lib/worker-client.ts'
import { LEAN_THREAD } from '../worker-memory.ts'
import type { ChecksumCalls } from './checksum-worker.ts'

/** Checksums of the API (http-api 3.1). */
export const DIGESTS = ['md5', 'sha1', 'sha256', 'sha512'] as const
export type Digest = (typeof DIGESTS)[number]

const worker = new WorkerClient<ChecksumCalls>(new URL('./checksum-worker.ts', import.meta.url), {
  idleTime: IDLE_TIME,
  ...LEAN_THREAD,
})

/** The checksum of an open file. @param signal ends it with an error */
export function digestOfFile(
  file: { entry: { size: number }; stream(): Readable },
  algorithm: Digest,
  signal: AbortSignal,
): Promise<string> {
  return digestOf(file.entry.size === 0 ? Readable.from([]) : abortable(signal, file.stream()), algorithm)
}

/** The checksum of a byte stream in lower-case hex, computed on another thread; the source is read at that speed. */
export function digestOf(source: AsyncIterable<Uint8Array>, algorithm: Digest): Promise<string> {
  return worker.request('digest', algorithm, { input: source })
}
