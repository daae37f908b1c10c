/** What thinning looks at in a version. */
export interface Thinnable {
  id: string
  /** When it gave way, in milliseconds since the epoch. */
  replacedAt: number
  size: number
  pinned: boolean
}

export interface ThinningRules {
  /** `smart`: fewer the older they are. Otherwise only the age ends a version. */
  isSmart: boolean
  /** Days after which versions expire; 0 for no limit. */
  days: number
  /** Versions of one file, without pinned ones. */
  most: number
  /** Milliseconds for which the last version of a file stays in any case. */
  least: number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY
/** Monday, 29 December 1969: the weeks of ISO 8601 begin on Mondays. */
const FIRST_MONDAY = -3 * DAY
/** Bytes from which a file is large, and what is kept of one. */
const LARGE = 2 ** 30
const LARGE_MOST = 3
const LARGE_DAYS = 7

/**
 * The versions of one file that go: of each span of time the newest stays, and spans grow with the age.
 * @param versions of one file
 * @param now milliseconds since the epoch
 */
export function thinned<V extends Thinnable>(versions: readonly V[], rules: ThinningRules, now: number): V[] {
  const newestFirst = versions.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const loose = newestFirst.filter(({ pinned }) => !pinned)
  const taken = new Set<string>()
  let left = 0
  let large = 0
  return loose.filter(version => {
    const { replacedAt } = version
    const isLarge = rules.isSmart && version.size > LARGE
    const span = spanOf(version, now, rules, isLarge)
    const isLast = version === newestFirst[0]
    const stays =
      (isLast && now - replacedAt < rules.least) ||
      (span !== undefined && !taken.has(span) && left < mostOf(rules) && !(isLarge && large >= LARGE_MOST))
    if (!stays) return true
    if (span !== undefined) taken.add(span)
    left += 1
    if (isLarge) large += 1
    return false
  })
}

const mostOf = ({ isSmart, most }: ThinningRules) => (isSmart ? most : Number.POSITIVE_INFINITY)

/** The span of time that a version stands for; `undefined` for one that is too old. */
function spanOf(
  version: Thinnable,
  now: number,
  { isSmart, days }: ThinningRules,
  isLarge: boolean,
): string | undefined {
  const at = version.replacedAt
  const age = now - at
  const limit = days === 0 ? Number.POSITIVE_INFINITY : days * DAY
  if (age >= (isLarge ? Math.min(limit, LARGE_DAYS * DAY) : limit)) return undefined
  if (!isSmart || age < HOUR) return version.id
  if (!isLarge && age < DAY) return `hour ${Math.floor(at / HOUR)}`
  if (isLarge || age < 30 * DAY) return `day ${Math.floor(at / DAY)}`
  return `week ${Math.floor((at - FIRST_MONDAY) / WEEK)}`
}
