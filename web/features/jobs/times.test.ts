import { expect, it } from 'vitest'
import { suggestions, timeProblem, tonight } from './times.ts'

const noon = new Date(2026, 10, 21, 12).getTime()
const late = new Date(2026, 10, 21, 23).getTime()

it('suggests the next evening, and tomorrow morning', () => {
  expect(tonight(noon)).toBe(new Date(2026, 10, 21, 22).getTime())
  expect(tonight(late)).toBe(new Date(2026, 10, 22, 22).getTime())
  expect(suggestions(late).map(({ at }) => at > late)).toEqual([true, true, true])
})

it('refuses a time in the past, too far ahead, or invalid', () => {
  expect(timeProblem('2026-11-21T12:01', noon)).toBeUndefined()
  expect(timeProblem('2026-11-21T12:00', noon)).toBe('schedule.past')
  expect(timeProblem('', noon)).toBe('schedule.past')
  expect(timeProblem('2028-01-01T00:00', noon)).toBe('schedule.far')
})
