import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { LIMITS } from '../../limits.ts'
import { issueShareTicket, isTicketFor, isTokenOf, tokenHash } from './share-token.ts'
import { type StoredShare, VIEWED } from './shares.store.ts'

const key = randomBytes(64)
const share: StoredShare = {
  hash: 'link',
  userId: 1,
  path: '/docs',
  place: parsePath('/docs'),
  canonical: parsePath('/docs'),
  identity: 'i',
  kind: 'folder',
  expire: 0,
  passwordHash: 'one',
  tokenHash: '',
  ...VIEWED,
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a ticket', () => {
  test('opens its link for an hour', async () => {
    vi.useFakeTimers()
    const ticket = await issueShareTicket(key, share)
    expect(await isTicketFor(key, share, ticket)).toBe(true)
    vi.advanceTimersByTime((LIMITS.shareTicket - 1) * 1000)
    expect(await isTicketFor(key, share, ticket)).toBe(true)
    vi.advanceTimersByTime(1000)
    expect(await isTicketFor(key, share, ticket)).toBe(false)
  })

  test('SHR-07 opens no other link, and not this one after a change of its password', async () => {
    const ticket = await issueShareTicket(key, share)
    expect(await isTicketFor(key, { ...share, hash: 'other' }, ticket)).toBe(false)
    expect(await isTicketFor(key, { ...share, passwordHash: 'two' }, ticket)).toBe(false)
  })

  test('with a foreign or missing signature opens nothing', async () => {
    const [head = '', claims = ''] = (await issueShareTicket(key, share)).split('.')
    const bare = Buffer.from('{"alg":"none"}').toString('base64url')
    const forged = [await issueShareTicket(randomBytes(64), share), `${head}.${claims}.`, `${bare}.${claims}.`, '', 'x']
    for (const ticket of forged) expect(await isTicketFor(key, share, ticket)).toBe(false)
  })
})

describe('the token of an imported link', () => {
  test('opens that link, and no link without a token', () => {
    const imported = { ...share, tokenHash: tokenHash('old') }
    expect([isTokenOf(imported, 'old'), isTokenOf(imported, 'new'), isTokenOf(imported, '')]).toEqual([
      true,
      false,
      false,
    ])
    expect([isTokenOf(share, ''), isTokenOf(share, 'old')]).toEqual([false, false])
  })
})
