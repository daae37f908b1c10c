import { formatBytes } from './i18n/format.ts'
import { t } from './i18n/index.ts'

/** Averaging window of a rate in milliseconds: long enough to be readable, short enough to be accurate. */
const WINDOW = 8000

const MINUTE = 60
const HOUR = 3600

interface Sample {
  at: number
  bytes: number
}

/** The rate of a transfer, measured from its progress. */
export class Rates {
  readonly #samples = new Map<string, Sample[]>()

  /**
   * @param bytes transferred so far @param now milliseconds since the epoch
   */
  note(id: string, bytes: number, now: number): void {
    const before = (this.#samples.get(id) ?? []).filter(({ at, bytes: then }) => at > now - WINDOW && then <= bytes)
    this.#samples.set(id, [...before, { at: now, bytes }])
  }

  /** Bytes per second; `undefined` until it can be measured. */
  of(id: string): number | undefined {
    const samples = this.#samples.get(id) ?? []
    const [first, last] = [samples[0], samples.at(-1)]
    if (!first || !last || last.at - first.at < 500 || last.bytes === first.bytes) return undefined
    return ((last.bytes - first.bytes) * 1000) / (last.at - first.at)
  }
}

/**
 * A rate and the remaining time, as texts.
 * @param rate bytes per second
 * @param left remaining bytes; `undefined` if unknown
 */
export function paceOf(rate: number, left: number | undefined): string[] {
  const perSecond = t('jobs.rate', { size: formatBytes(rate) })
  return left === undefined ? [perSecond] : [perSecond, timeLeft(Math.max(0, left) / rate)]
}

function timeLeft(seconds: number): string {
  if (seconds < MINUTE) return t('jobs.secondsLeft', { count: Math.max(1, Math.round(seconds)) })
  if (seconds < HOUR) return t('jobs.minutesLeft', { count: Math.round(seconds / MINUTE) })
  return t('jobs.hoursLeft', { count: Math.round(seconds / HOUR) })
}
