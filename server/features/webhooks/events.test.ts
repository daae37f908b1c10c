import { expect, test } from 'vitest'
import { withToken } from '../../audit/audit.ts'
import { eventOfJob, eventsOf, matchesName, wants } from './events.ts'

const eventOf = (given: Parameters<typeof eventsOf>[0]) => eventsOf(given)[0]

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
  for (const folder of ['/projects', '/inbox'])
    expect(event && wants({ types: [], folder, pattern: '' }, event)).toBe(true)
  const changed = eventOf({ ...row, action: 'user.change', path: '', target: withToken('ben', 'abcdef01') ?? '' })
  expect(changed?.data).toEqual({ user: 'ann', via: 'apitoken', account: 'ben' })
})

test('a refused action is no event, but for a sign-in after too many attempts', () => {
  expect(eventOf({ ...row, outcome: 'forbidden' })).toBeUndefined()
  expect(eventOf({ ...row, action: 'login', outcome: 'wrong_credentials' })).toBeUndefined()
  expect(eventOf({ ...row, action: 'login', outcome: 'too_many_attempts' })?.type).toBe('login.blocked')
})

test.each([
  ['*.pdf', 'Plan.PDF', true],
  ['*.pdf', 'plan.pdf.txt', false],
  ['scan-????.*', 'scan-0001.png', true],
  ['scan-????.*', 'scan-01.png', false],
  ['*', '', true],
  ['?', '', false],
  ['*a*b*', 'xaxxbx', true],
  ['*ab', 'aab', true],
  ['.*', 'a', false],
  ['[a]', 'a', false],
  ['?', '\u{1F389}', true],
])('the pattern %s and the name %s', (pattern, name, matches) => {
  expect(matchesName(pattern, name)).toBe(matches)
})

test('a pattern of many stars takes no time', () => {
  const began = performance.now()
  expect(matchesName('*a'.repeat(127), `${'a'.repeat(254)}b`)).toBe(false)
  expect(performance.now() - began).toBeLessThan(100)
})

test('a pattern is about the name before or after a move, in the folder, and leaves out what has no path', () => {
  const event = eventOf(row)
  const wanted = (folder: string, pattern: string) => event && wants({ types: [], folder, pattern }, event)
  expect([wanted('', 'a.*'), wanted('/inbox', '*.txt'), wanted('/other', '*'), wanted('', '*.pdf')]).toEqual([
    ...[true, true, false, false],
  ])
  const signedIn = eventOf({ ...row, action: 'login', path: '', target: '' })
  expect(signedIn && wants({ types: [], folder: '', pattern: '*' }, signedIn)).toBe(false)
})

test('a job that ended has what it did, and how long it took', () => {
  const origin = JSON.stringify({ way: 'dav', address: '' })
  const ended = { username: 'ann', kind: 'copy', state: 'done', origin, started_at: 1000, ended_at: 4600 }
  expect(eventOfJob({ ...ended, items: 3, failed: 1 })).toEqual({
    type: 'job.finished',
    timestamp: '1970-01-01T00:00:04.600Z',
    data: { user: 'ann', via: 'dav', kind: 'copy', state: 'done', items: 3, failed: 1, seconds: 4 },
  })
})

test('an upload by a link is an event of uploads, and one of links for webhooks that name it', () => {
  const uploaded = {
    ...row,
    action: 'upload',
    way: 'share',
    user_id: 0,
    username: '',
    path: '/inbox/a',
    target: '',
  } as const
  const events = eventsOf(uploaded)
  expect(events.map(({ type }) => type)).toEqual(['file.uploaded', 'share.uploaded'])
  const wanted = (types: string[]) => events.filter(event => wants({ types, folder: '', pattern: '' }, event)).length
  expect([wanted([]), wanted(['share.uploaded']), wanted(['share.opened'])]).toEqual([1, 1, 0])
  expect(eventsOf({ ...uploaded, way: 'session' })).toHaveLength(1)
})

test('an event has the facts of its type: sizes, folders, the beginning of a link, names of fields and the client', () => {
  const facts = {
    size: 5,
    replaced: true,
    folder: false,
    trashed: true,
    fields: ['perm'],
    agent: 'Firefox',
    link: 'abcdef',
  }
  const dataOf = (action: string, more = {}) =>
    eventOf({ ...row, action, target: '', facts, ...more } as typeof row)?.data
  expect(dataOf('upload')).toMatchObject({ size: 5, replaced: true })
  expect(dataOf('save')).toEqual({ user: 'ann', via: 'apitoken', path: '/inbox/a.txt', size: 5 })
  expect(dataOf('delete')).toMatchObject({ folder: false, trashed: true })
  expect(dataOf('share.add')).toMatchObject({ link: 'abcdef' })
  expect(dataOf('user.change', { target: 'ben' })).toMatchObject({ account: 'ben', fields: ['perm'] })
  expect(dataOf('login', { path: '' })).toEqual({
    user: 'ann',
    via: 'apitoken',
    address: '192.0.2.1',
    agent: 'Firefox',
  })
})

test('a change of settings has their names, and not their values', () => {
  const dataOf = (target: string) => eventOf({ ...row, action: 'settings.change', path: '', target })?.data.fields
  expect(dataOf('branding, rules')).toEqual(['branding', 'rules'])
  expect(dataOf(withToken('mailFrom=a secret', 'abcdef01') ?? '')).toEqual(['mailFrom'])
})

test('what is deleted for good from a folder is an event, and what leaves the trash is none', () => {
  const gone = { ...row, action: 'purge', target: '' } as const
  expect(eventOf({ ...gone, facts: { trashed: false, folder: true } })).toMatchObject({
    type: 'item.deleted',
    data: { trashed: false, folder: true },
  })
  expect(eventOf(gone)).toBeUndefined()
})
