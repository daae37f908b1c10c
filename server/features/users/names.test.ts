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
