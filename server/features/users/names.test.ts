import { describe, expect, test } from 'vitest'
import { checkUsername, foldScope, homeName } from './names.ts'

test.each([
  ['alice', 'alice'],
  ['Zoë K.', 'Zo-K.'],
  ['a b  c', 'a-b-c'],
  ['me@example.org', 'me@example.org'],
  ['team_one-x', 'team_one-x'],
  ['测试1', '-1'],
])('the home of %j is %j', (username, home) => {
  expect(homeName(username)).toBe(home)
})

test.each(['测试', '-', '..', ' '])('%j has no home', username => {
  expect(() => homeName(username)).toThrow('home')
})

test('a name may use any script and be as long as a file name', () => {
  for (const name of ['alice', 'O’Neil, Ann', '测试', '😀', 'a.b', 'x'.repeat(255)]) checkUsername(name)
})

test.each(['a\u202eb', '\u200fann', 'an\u2066n', 'ad\u200bmin', 'ad\u2060min', 'ad\ufeffmin', 'ad\u00admin'])(
  'a name that looks like another one is refused: %j',
  username => {
    expect(() => checkUsername(username)).toThrow('cannot be used')
  },
)

test('a name may have the joiners that scripts need', () => {
  for (const name of ['می\u200cخواهم', 'क्\u200dष']) checkUsername(name)
})

describe('scopes that may be one folder are equal', () => {
  test.each([
    ['/Users/Alice', '/users/alice'],
    ['/zoë'.normalize('NFC'), '/ZOË'.normalize('NFD')],
    ['/strasse', '/STRAẞE'.replace('ẞ', 'SS')],
    ['/straße', '/STRASSE'],
    ['/a/', '/a'],
  ])('%s and %s', (one, other) => {
    expect(foldScope(one)).toBe(foldScope(other))
  })

  test('other scopes are not', () => {
    expect(foldScope('/ab')).not.toBe(foldScope('/a/b'))
  })
})
