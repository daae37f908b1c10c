import type { Job } from '../../../shared/api/jobs.ts'

/** Milliseconds over which a rate is taken: steady enough to be read, quick enough to be true. */
const WINDOW = 8000

interface Sample {
  at: number
  bytes: number
}

/** How quickly jobs go on, from what is seen of them. */
export class Rates {
  readonly #samples = new Map<string, Sample[]>()

  /** @param now milliseconds since the epoch */
  note({ id, progress: { bytes } }: Pick<Job, 'id' | 'progress'>, now: number): void {
    const before = (this.#samples.get(id) ?? []).filter(({ at, bytes: then }) => at > now - WINDOW && then <= bytes)
    this.#samples.set(id, [...before, { at: now, bytes }])
  }

  /** Bytes a second; nothing before that can be said. */
  of(id: string): number | undefined {
    const samples = this.#samples.get(id) ?? []
    const [first, last] = [samples[0], samples.at(-1)]
    if (!first || !last || last.at - first.at < 500 || last.bytes === first.bytes) return undefined
    return ((last.bytes - first.bytes) * 1000) / (last.at - first.at)
  }
}

/** Seconds a job still takes at this rate, as far as anybody can say. */
export function secondsLeft({ progress: { bytes, bytesTotal } }: Pick<Job, 'progress'>, rate: number | undefined) {
  if (rate === undefined || bytesTotal === undefined) return undefined
  return Math.max(0, bytesTotal - bytes) / rate
}

/** How much of a job is done, between 0 and 1; nothing where that is not known. */
export function shareOf({ progress, count }: Pick<Job, 'progress' | 'count'>): number | undefined {
  const { bytes, bytesTotal } = progress
  if (bytesTotal !== undefined && bytesTotal > 0) return Math.min(1, bytes / bytesTotal)
  const ended = count.done + count.skipped + count.failed + count.cancelled
  return count.total > 1 ? ended / count.total : undefined
}
