import { expect, it } from 'vitest'
import { problemWith, suggestions, tonight } from './times.ts'

const noon = new Date(2026, 10, 21, 12).getTime()
const late = new Date(2026, 10, 21, 23).getTime()

it('suggests the next evening, and the morning of tomorrow', () => {
  expect(tonight(noon)).toBe(new Date(2026, 10, 21, 22).getTime())
  expect(tonight(late)).toBe(new Date(2026, 10, 22, 22).getTime())
  expect(suggestions(late).map(({ at }) => at > late)).toEqual([true, true, true])
})

it('refuses what is past, too far away or no time', () => {
  expect(problemWith('2026-11-21T12:01', noon)).toBeUndefined()
  expect(problemWith('2026-11-21T12:00', noon)).toBe('schedule.past')
  expect(problemWith('', noon)).toBe('schedule.past')
  expect(problemWith('2028-01-01T00:00', noon)).toBe('schedule.far')
})
