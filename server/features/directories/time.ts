/** From 1601, where the times of Windows begin, to 1970, in milliseconds. */
const BEGINNING = 11_644_473_600_000n
/** Parts of a millisecond in which Windows counts. */
const TICKS = 10_000n
/** Active Directory writes either of these for "never". */
const NEVER = ['0', '9223372036854775807']

/** A time of Active Directory in milliseconds since the epoch; infinite without one. */
export function decodeTime(ticks: string | undefined): number {
  if (ticks === undefined || NEVER.includes(ticks) || !/^\d{1,19}$/.test(ticks)) return Number.POSITIVE_INFINITY
  return Number(BigInt(ticks) / TICKS - BEGINNING)
}
