import type { ScrubMode } from '../../shared/api/integrity.ts'

const DAY = 86_400_000

/** Milliseconds after which a file is due; those of `off` are for reports only. */
export const SCRUB_PERIODS: Readonly<Record<ScrubMode, number>> = {
  off: 91 * DAY,
  weekly: 7 * DAY,
  monthly: 30 * DAY,
  quarterly: 91 * DAY,
}

/** Hours of the day in the server's time zone; `from` equals `to` for the whole day. */
export interface Hours {
  from: number
  to: number
}

/** Whether a time lies within hours, which may pass midnight. */
export function isWithinHours({ from, to }: Hours, time: Date): boolean {
  const hour = time.getHours()
  if (from === to) return true
  return from < to ? hour >= from && hour < to : hour >= from || hour < to
}

/** When hours begin next: now if they have begun. */
export function nextStart(hours: Hours, time: Date): Date {
  if (isWithinHours(hours, time)) return time
  const start = new Date(time)
  start.setHours(hours.from, 0, 0, 0)
  if (start <= time) start.setDate(start.getDate() + 1)
  return start
}
