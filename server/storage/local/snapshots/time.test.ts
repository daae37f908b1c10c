import { expect, test } from 'vitest'
import { namePattern, timeByPattern, timeInInfo, timeInName } from './time.ts'

const local = (...fields: [number, number, number, number?, number?, number?]) => {
  const [year, month, day, ...rest] = fields
  return new Date(year, month - 1, day, ...rest).getTime()
}

test.each([
  ['auto-2026-11-23_09-30', local(2026, 11, 23, 9, 30)],
  ['zfs-auto-snap_daily-2026-11-23-0930', local(2026, 11, 23, 9, 30)],
  ['home.20261123T093015', local(2026, 11, 23, 9, 30, 15)],
  ['2026-11-23', local(2026, 11, 23)],
  ['before the update', undefined],
  ['v2026-99-99', undefined],
])('the time in the name %s is found', (name, time) => {
  expect(timeInName(name)).toBe(time)
})

test('the date of snapper is in UTC', () => {
  const xml = '<?xml version="1.0"?>\n<snapshot>\n  <date>2026-11-23 09:30:00</date>\n</snapshot>'
  expect(timeInInfo(xml)).toBe(Date.UTC(2026, 10, 23, 9, 30))
  expect(timeInInfo('<snapshot/>')).toBeUndefined()
})

test.each([
  ['GMT%z-%Y.%m.%d-%H.%M.%S', 'GMT+0100-2026.11.23-09.30.00', Date.UTC(2026, 10, 23, 8, 30)],
  ['home.%Y%m%dT%H%M', 'home.20261123T0930', local(2026, 11, 23, 9, 30)],
  ['at-%s', 'at-1800000000', 1_800_000_000_000],
])('the pattern %s finds the time in %s', (pattern, name, time) => {
  const match = namePattern(pattern).exec(name)
  expect(match && timeByPattern(match)).toBe(time)
})

test('text of a pattern stands for itself', () => {
  expect(namePattern('a.b+%Y').test('aXb+2026')).toBe(false)
  expect(namePattern('a.b+%Y').test('a.b+2026')).toBe(true)
  expect(namePattern('a.b+%Y').test('a.b+2026x')).toBe(false)
})
