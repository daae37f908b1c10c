import { expect, test } from 'vitest'
import { fuzzyScore } from './fuzzy.ts'

const best = (typed: string, texts: string[]) =>
  texts
    .filter(text => fuzzyScore(typed, text) !== undefined)
    .toSorted((a, b) => (fuzzyScore(typed, b) ?? 0) - (fuzzyScore(typed, a) ?? 0))

test('letters must match in the typed order', () => {
  expect(fuzzyScore('nf', 'New folder')).toBeGreaterThan(0)
  expect(fuzzyScore('fn', 'New folder')).toBeUndefined()
  expect(fuzzyScore('', 'New folder')).toBe(0)
})

test('word starts score higher than letters inside words', () => {
  expect(best('nf', ['Information', 'New folder'])).toEqual(['New folder', 'Information'])
  expect(best('del', ['Model', 'Delete'])).toEqual(['Delete', 'Model'])
})

test('case, accents and spaces make no difference', () => {
  expect(fuzzyScore('PREFERENCES', 'Préférences')).toBe(fuzzyScore('preferences', 'Préférences'))
  expect(fuzzyScore('new fol', 'New folder')).toBe(fuzzyScore('newfol', 'New folder'))
})

test('soft hyphens make no difference', () => {
  expect(fuzzyScore('herunterladen', 'Herunter\u00adladen')).toBe(fuzzyScore('herunterladen', 'Herunterladen'))
})

test('a first match that leads nowhere does not hide a match', () => {
  expect(fuzzyScore('oe', 'one offer over')).toBeDefined()
  expect(fuzzyScore('los', 'close session los')).toBeDefined()
})
