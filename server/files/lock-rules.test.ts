import { describe, expect, test } from 'vitest'
import { parsePath } from '../../shared/path.ts'
import type { Lock } from './lock-records.ts'
import { conflicting, refusing, type Touch } from './lock-rules.ts'

const lock = (place: string, more: Partial<Lock> = {}): Lock => ({
  id: place,
  token: `token of ${place}`,
  place: parsePath(place),
  deep: false,
  scope: 'exclusive',
  userId: 1,
  username: 'ann',
  bearer: '',
  ownerXml: '',
  label: '',
  via: 'dav',
  since: 0,
  until: 1,
  ...more,
})
const NOBODY = { userId: 2, tokens: new Set<string>() }
const at = (touch: Touch, place: string, folder = place.replace(/\/[^/]+$/, '') || '/') => ({
  touch,
  place: parsePath(place),
  folder: parsePath(folder),
})

describe('a change is refused', () => {
  test.each<[what: string, lock: Lock, touch: Touch, place: string, refused: boolean]>([
    ['the content of a locked file', lock('/a/x'), 'content', '/a/x', true],
    ['the name of a locked file', lock('/a/x'), 'tree', '/a/x', true],
    ['a file next to a locked one', lock('/a/x'), 'content', '/a/xy', false],
    ['a file in a locked folder, by its depth', lock('/a'), 'content', '/a/x', false],
    ['a file in a folder that is locked with all in it', lock('/a', { deep: true }), 'content', '/a/b/x', true],
    ['a new name in a locked folder', lock('/a'), 'name', '/a/x', true],
    ['a name that leaves a locked folder', lock('/a'), 'tree', '/a/x', true],
    ['a new name further below a locked folder', lock('/a'), 'name', '/a/b/x', false],
    ['a folder with a locked file in it, as a whole', lock('/a/b/x'), 'tree', '/a', true],
    ['a property of a folder with a locked file in it', lock('/a/b/x'), 'content', '/a', false],
  ])('%s', (_what, held, touch, place, refused) => {
    expect(refusing([held], at(touch, place), NOBODY)?.id).toBe(refused ? held.id : undefined)
  })

  test('in a folder whose missing parts begin in a locked one', () => {
    expect(refusing([lock('/a')], at('name', '/a/new/x', '/a'), NOBODY)).toBeDefined()
  })
})

describe('a submitted token', () => {
  const held = lock('/a/x')
  test('lets the user of the lock pass, and no other user', () => {
    const tokens = new Set([held.token])
    expect(refusing([held], at('content', '/a/x'), { userId: 1, tokens })).toBeUndefined()
    expect(refusing([held], at('content', '/a/x'), { userId: 2, tokens })).toBe(held)
    expect(refusing([held], at('content', '/a/x'), { userId: undefined, tokens })).toBe(held)
  })

  test('of one shared lock is enough for the others on the same file', () => {
    const other = lock('/a/x', { scope: 'shared', userId: 2, token: 'other' })
    const own = { ...other, userId: 1, token: 'own' }
    const holding = { userId: 1, tokens: new Set(['own']) }
    expect(refusing([other, own], at('content', '/a/x'), holding)).toBeUndefined()
    expect(refusing([other, own], at('tree', '/a/x'), holding)).toBeUndefined()
  })

  test('of a shared lock of one file is not enough for another file in the tree', () => {
    const own = lock('/a/x', { scope: 'shared', token: 'own' })
    const other = lock('/a/y', { scope: 'shared', userId: 2, token: 'other' })
    expect(refusing([own, other], at('tree', '/a'), { userId: 1, tokens: new Set(['own']) })).toBe(other)
  })
})

test.each<[what: string, held: Lock, wanted: Parameters<typeof conflicting>[1], conflicts: boolean]>([
  ['exclusive locks of one file', lock('/a/x'), lock('/a/x'), true],
  ['shared locks of one file', lock('/a/x', { scope: 'shared' }), lock('/a/x', { scope: 'shared' }), false],
  ['a shared lock and an exclusive one', lock('/a/x'), lock('/a/x', { scope: 'shared' }), true],
  ['a file and its folder, by its depth', lock('/a'), lock('/a/x'), false],
  ['a file and its folder with all in it', lock('/a', { deep: true }), lock('/a/x'), true],
  ['a folder with all in it and a file', lock('/a/x'), lock('/a', { deep: true }), true],
])('%s: whether they conflict', (_what, held, wanted, conflicts) => {
  expect(conflicting([held], wanted)).toBe(conflicts ? held : undefined)
})
