import { expect, test } from 'vitest'
import { withToken } from '../../audit/audit.ts'
import { eventOf, wants } from './events.ts'

const row = {
  at: Date.parse('2026-11-27T10:00:00Z'),
  user_id: 1,
  username: 'ann',
  action: 'move',
  outcome: 'done',
  way: 'apitoken',
  address: '192.0.2.1',
  path: '/inbox/a.txt',
  target: withToken('/projects/a.txt', 'abcdef0123456789') ?? '',
} as const

test('a move by an API token has both places, and not the token', () => {
  const event = eventOf(row)
  expect(event?.data).toEqual({ user: 'ann', via: 'apitoken', path: '/projects/a.txt', from: '/inbox/a.txt' })
  for (const folder of ['/projects', '/inbox']) expect(event && wants({ types: [], folder }, event)).toBe(true)
  const changed = eventOf({ ...row, action: 'user.change', path: '', target: withToken('ben', 'abcdef01') ?? '' })
  expect(changed?.data).toEqual({ user: 'ann', via: 'apitoken', account: 'ben' })
})

test('a refused action is no event, but for a sign-in after too many attempts', () => {
  expect(eventOf({ ...row, outcome: 'forbidden' })).toBeUndefined()
  expect(eventOf({ ...row, action: 'login', outcome: 'wrong_credentials' })).toBeUndefined()
  expect(eventOf({ ...row, action: 'login', outcome: 'too_many_attempts' })?.type).toBe('login.blocked')
})
