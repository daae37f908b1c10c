import { MAX_JOB_DELAY } from '../../../shared/api/jobs.ts'

const HOUR = 3_600_000

/** 22:00, today or else tomorrow. @param now milliseconds since the epoch */
export function tonight(now: number): number {
  const evening = at(now, 0, 22)
  return evening > now ? evening : at(now, 1, 22)
}

/** Suggested times. */
export function suggestions(now: number) {
  return [
    { labelKey: 'schedule.inOneHour', at: now + HOUR },
    { labelKey: 'schedule.tonight', at: tonight(now) },
    { labelKey: 'schedule.tomorrow', at: at(now, 1, 8) },
  ] as const
}

/** Validates a time; returns the error, or `undefined`. @param time in the format of `datetime-local` inputs */
export function timeProblem(time: string, now: number): 'schedule.past' | 'schedule.far' | undefined {
  const when = new Date(time).getTime()
  if (!(when > now)) return 'schedule.past'
  return when > now + MAX_JOB_DELAY - HOUR ? 'schedule.far' : undefined
}

/** A full hour, a number of days from today. */
function at(now: number, days: number, hour: number): number {
  const date = new Date(now)
  date.setDate(date.getDate() + days)
  return date.setHours(hour, 0, 0, 0)
}
