import { expect, test } from 'vitest'
import { findTyped, isCharacter, NOTHING_TYPED, TYPE_AHEAD_WINDOW, typeCharacter } from './type-ahead.ts'

const names = ['alpha', 'beta', 'Bravo', 'Émile', 'отчёт', 'صورة', '写真']
const find = (text: string, focus = 0) => findTyped(text, focus, names.length, index => names[index] ?? '')

test('typing finds the first name that starts with it, whatever its case', () => {
  expect(find('be')).toBe(1)
  expect(find('br')).toBe(2)
})

test('repeating a letter moves to the next match, wrapping around', () => {
  expect(find('b', 0)).toBe(1)
  expect(find('bb', 1)).toBe(2)
  expect(find('bbb', 2)).toBe(1)
})

test('a longer word stays on the row that already matches', () => {
  expect(find('bra', 2)).toBe(2)
})

test('names in other scripts are found, however an accent is encoded', () => {
  expect(find('о')).toBe(4)
  expect(find('ص')).toBe(5)
  expect(find('写')).toBe(6)
  expect(find('e\u0301'.normalize('NFC'))).toBe(3)
})

test('nothing is found when no name starts with the text', () => {
  expect(find('zz')).toBeUndefined()
})

test('letters within half a second form one word, later ones start a new one', () => {
  const first = typeCharacter(NOTHING_TYPED, 'B', 1000)
  const second = typeCharacter(first ?? NOTHING_TYPED, 'r', 1000 + TYPE_AHEAD_WINDOW)
  expect(second?.text).toBe('br')
  expect(typeCharacter(second ?? NOTHING_TYPED, 'a', 1001 + 2 * TYPE_AHEAD_WINDOW)?.text).toBe('a')
})

test('a space continues a word but starts none', () => {
  expect(typeCharacter(NOTHING_TYPED, ' ', 0)).toBeUndefined()
  expect(typeCharacter({ text: 'my', at: 0 }, ' ', 100)?.text).toBe('my ')
})

test('named keys are not characters, astral characters are', () => {
  expect(isCharacter('Enter')).toBe(false)
  expect(isCharacter('𝒳')).toBe(true)
})
