import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Thinnable, type ThinningRules, thinned } from './thinning.ts'
import { ulid } from './ulid.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.UTC(2026, 10, 23, 12, 30)
const RULES: ThinningRules = { isSmart: true, days: 365, most: 200, least: DAY }

const version = (age: number, more: Partial<Thinnable> = {}): Thinnable => ({
  id: ulid(NOW - age),
  replacedAt: NOW - age,
  size: 10,
  pinned: false,
  ...more,
})
const agesLeft = (versions: readonly Thinnable[], rules = RULES, now = NOW): number[] => {
  const gone = new Set(thinned(versions, rules, now))
  return versions.filter(one => !gone.has(one)).map(({ replacedAt }) => NOW - replacedAt)
}
const hours = (...ages: number[]) => ages.map(age => version(Math.round(age * HOUR)))

test('of the last hour all versions stay', () => {
  expect(agesLeft(hours(0.1, 0.2, 0.3, 0.4))).toHaveLength(4)
})

test('versions of the same millisecond are two versions, within the hour and without thinning', () => {
  expect(agesLeft(hours(0.1, 0.1))).toHaveLength(2)
  expect(agesLeft(hours(50, 50), { ...RULES, isSmart: false })).toHaveLength(2)
})

test('of each clock hour of a day, each day of a month and each week of a year the newest stays', () => {
  expect(agesLeft(hours(2.1, 2.2, 2.4, 3.1))).toEqual([2.1, 3.1].map(age => Math.round(age * HOUR)))
  expect(agesLeft(hours(72.6, 73, 80, 90))).toEqual([72.6, 90].map(age => Math.round(age * HOUR)))
  // The 23rd of November 2026 is a Monday.
  expect(agesLeft([40, 41, 42, 43, 49, 50].map(days => version(days * DAY)))).toEqual(
    [40, 43, 50].map(days => days * DAY),
  )
})

test('what is older than the limit goes, except pinned versions', () => {
  expect(agesLeft([version(364 * DAY), version(366 * DAY), version(400 * DAY, { pinned: true })])).toEqual(
    [364, 400].map(days => days * DAY),
  )
  expect(agesLeft([version(4000 * DAY)], { ...RULES, days: 0 })).toHaveLength(1)
})

test('without thinning only the age ends a version', () => {
  const rules = { ...RULES, isSmart: false, most: 1 }
  expect(agesLeft(hours(2.1, 2.2, 2.4, 366 * 24), rules)).toHaveLength(3)
})

test('of a large file the newest of each day stay, three at most, for a week', () => {
  const large = (age: number) => version(Math.round(age * HOUR), { size: 2 ** 31 })
  const ages = [0.1, 0.2, 13, 14, 37, 61, 200]
  expect(agesLeft(ages.map(large))).toEqual([0.1, 0.2, 13].map(age => Math.round(age * HOUR)))
  expect(agesLeft([13, 14, 37, 61, 85, 200].map(large))).toEqual([13, 37, 61].map(age => age * HOUR))
})

const someVersions = fc.array(
  fc.record({
    age: fc.oneof(fc.integer({ min: -DAY, max: 2 * DAY }), fc.integer({ min: 0, max: 500 * DAY })),
    size: fc.constantFrom(10, 2 ** 31),
    pinned: fc.boolean(),
  }),
  { maxLength: 60 },
)
const someRules = fc.record({
  isSmart: fc.boolean(),
  days: fc.constantFrom(0, 1, 30, 365),
  most: fc.constantFrom(1, 5, 200),
  least: fc.constantFrom(HOUR, DAY),
})
const made = (drawn: readonly { age: number; size: number; pinned: boolean }[]) =>
  drawn.map(({ age, ...more }) => version(age, more))

test('VERS-03 pinned versions never go, and neither does the last one while it is young, whatever the clock says', () => {
  fc.assert(
    fc.property(someVersions, someRules, fc.integer({ min: -400 * DAY, max: 400 * DAY }), (drawn, rules, shift) => {
      const versions = made(drawn)
      const gone = thinned(versions, rules, NOW + shift)
      const last = versions.toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]
      expect(gone.filter(({ pinned }) => pinned)).toEqual([])
      if (last && NOW + shift - last.replacedAt < rules.least) expect(gone).not.toContain(last)
    }),
  )
})

test('VERS-03 what stays is what a list of spans allows', () => {
  fc.assert(
    fc.property(someVersions, drawn => {
      const versions = made(drawn.map(one => ({ ...one, size: 10 })))
      const stays = new Set(agesLeft(versions))
      for (const { replacedAt, pinned } of versions) {
        const age = NOW - replacedAt
        if (pinned || age < HOUR) expect(stays).toContain(age)
        else if (age >= 365 * DAY) continue
        else {
          // Whatever goes has a newer one in its span that stays.
          const span = age < DAY ? HOUR : age < 30 * DAY ? DAY : 7 * DAY
          expect([...stays].some(other => other <= age && age - other < span)).toBe(true)
        }
      }
    }),
  )
})

/** What stays, worked out by the calendar for each version on its own. */
function model(versions: readonly Thinnable[], { isSmart, days, most, least }: ThinningRules, now: number) {
  const loose = versions.filter(({ pinned }) => !pinned)
  const isNewer = (one: Thinnable, other: Thinnable) => one.id > other.id
  const last = versions.find(one => !versions.some(other => isNewer(other, one)))
  const isLarge = ({ size }: Thinnable) => isSmart && size > 2 ** 30
  const lifeOf = (one: Thinnable) => Math.min(days === 0 ? Infinity : days, isLarge(one) ? 7 : Infinity) * DAY
  const unitOf = (one: Thinnable): string => {
    const [age, at] = [now - one.replacedAt, new Date(one.replacedAt)]
    if (!isSmart || age < HOUR) return one.id
    if (age < DAY && !isLarge(one)) return at.toISOString().slice(0, 13)
    if (age < 30 * DAY || isLarge(one)) return at.toISOString().slice(0, 10)
    at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
    return `week of ${at.toISOString().slice(0, 10)}`
  }
  const isAlive = (one: Thinnable) => now - one.replacedAt < lifeOf(one)
  const isYoungLast = (one: Thinnable) => one === last && now - one.replacedAt < least
  const isFirst = (one: Thinnable) =>
    !loose.some(other => isNewer(other, one) && isAlive(other) && unitOf(other) === unitOf(one))
  const wanted = loose.filter(one => isYoungLast(one) || (isAlive(one) && isFirst(one)))
  const rank = (one: Thinnable) => wanted.filter(other => isNewer(other, one)).length
  const limit = (one: Thinnable) => Math.min(isSmart ? most : Infinity, isLarge(one) ? 3 : Infinity)
  return versions.filter(one => one.pinned || (wanted.includes(one) && (isYoungLast(one) || rank(one) < limit(one))))
}

test('VERS-03 what stays is what the calendar says, whatever the rules and the clock', () => {
  const size = fc.constantFrom(10, 2 ** 31)
  fc.assert(
    fc.property(
      someVersions,
      size,
      someRules,
      fc.integer({ min: -400 * DAY, max: 400 * DAY }),
      (drawn, each, rules, shift) => {
        const versions = made(drawn.map(one => ({ ...one, size: each })))
        const gone = new Set(thinned(versions, rules, NOW + shift))
        expect(versions.filter(one => !gone.has(one))).toEqual(model(versions, rules, NOW + shift))
      },
    ),
    { numRuns: 1000 },
  )
})

test('VERS-03 thinning twice, also later, leaves what thinning later once leaves', () => {
  fc.assert(
    fc.property(someVersions, fc.integer({ min: 0, max: 400 * DAY }), (drawn, later) => {
      const versions = made(drawn.map(one => ({ ...one, size: 10 })))
      const rules = { ...RULES, most: 1000 }
      const once = new Set(thinned(versions, rules, NOW))
      const left = versions.filter(one => !once.has(one))
      const twice = new Set(thinned(left, rules, NOW + later))
      const direct = new Set(thinned(versions, rules, NOW + later))
      expect(left.filter(one => !twice.has(one))).toEqual(versions.filter(one => !direct.has(one)))
    }),
  )
})
