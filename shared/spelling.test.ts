import { expect, test } from 'vitest'
import { otherSpellings } from './spelling.ts'

test.each([
  ['Deny', ['dENY']],
  ['straße', ['STRAßE', 'stra\u00dfe'].slice(0, 1)],
  ['İé', ['İÉ', 'I\u0307e\u0301']],
  ['\u212A', ['K']],
  ['日本', []],
  ['42', []],
])('other spellings of %j', (name, others) => {
  expect(otherSpellings(name)).toEqual(others)
})
