import { expect, test } from 'vitest'
import { fuzzyScore } from './fuzzy.ts'

const best = (typed: string, texts: string[]) =>
  texts
    .filter(text => fuzzyScore(typed, text) !== undefined)
    .toSorted((a, b) => (fuzzyScore(typed, b) ?? 0) - (fuzzyScore(typed, a) ?? 0))

test('letters must come in the order they were typed', () => {
  expect(fuzzyScore('nf', 'New folder')).toBeGreaterThan(0)
  expect(fuzzyScore('fn', 'New folder')).toBeUndefined()
  expect(fuzzyScore('', 'New folder')).toBe(0)
})

test('beginnings of words count more than letters inside of them', () => {
  expect(best('nf', ['Information', 'New folder'])).toEqual(['New folder', 'Information'])
  expect(best('del', ['Model', 'Delete'])).toEqual(['Delete', 'Model'])
})

test('capitals, accents and spaces make no difference', () => {
  expect(fuzzyScore('PREFERENCES', 'Préférences')).toBe(fuzzyScore('preferences', 'Préférences'))
  expect(fuzzyScore('new fol', 'New folder')).toBe(fuzzyScore('newfol', 'New folder'))
})

test('where a word may be parted makes no difference', () => {
  expect(fuzzyScore('herunterladen', 'Herunter\u00adladen')).toBe(fuzzyScore('herunterladen', 'Herunterladen'))
})

test('a start that leads nowhere does not hide a text that fits', () => {
  expect(fuzzyScore('oe', 'one offer over')).toBeDefined()
  expect(fuzzyScore('los', 'close session los')).toBeDefined()
})
