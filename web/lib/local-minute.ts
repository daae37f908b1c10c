/** A time in the format of `datetime-local` inputs, in local time. @param when milliseconds since the epoch */
export function localMinute(when: number): string {
  const offset = new Date(when).getTimezoneOffset() * 60_000
  return new Date(when - offset).toISOString().slice(0, 16)
}
