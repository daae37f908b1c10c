import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findActingUser } from '../../server/features/groups/acting-user.ts'
import { narrow } from '../../server/features/tokens/narrow.ts'
import { TOKEN_SCOPES, type TokenScope } from '../../shared/api/tokens.ts'
import { parsePath, ROOT } from '../../shared/path.ts'
import { ALL_PERMISSIONS, type Permission } from '../../shared/permissions.ts'
import { inBucket } from '../api/bucket.ts'
import { AIMS, actsOf } from './effects.ts'
import { CONTENT, callsOf, openWorld } from './world.ts'

const world = await openWorld()
const { tokens, sessions, db } = world.context
const untouched = await world.manifest()
const rules = [{ regex: false, allow: false, path: '/deny', regexp: null }]
const ANY = { label: 'x', folders: [], networks: [], expiresAt: null } as const

/** Each scope alone, and all of them. */
const SETS: readonly (readonly TokenScope[])[] = [...TOKEN_SCOPES.map(scope => [scope]), TOKEN_SCOPES]
const account = await world.enrol({ perm: ALL_PERMISSIONS, rules, hideDotfiles: true })
/** Not those that only a ticket opens. */
const guarded = callsOf(world.routes).filter(({ route }) => route.access !== 'public' && !route.playTicket)

/** A token of the account. @returns it, a session that it starts, and the permissions that it leaves */
async function issue(scopes: readonly TokenScope[], confinedTo?: string) {
  const folder = confinedTo === undefined ? undefined : parsePath(confinedTo)
  const folders = folder === undefined ? [] : [{ path: folder, canonical: folder, identity: '' }]
  const { secret, token } = await tokens.create(account.id, { ...ANY, scopes, folders })
  const stored = await findActingUser(db, account.id)
  if (!stored) throw new Error('the account is missing')
  const narrowed = narrow(stored, { scopes: token.scopes, ...(folder !== undefined && { folders: [folder] }) })
  const session = await sessions.start(narrowed, undefined, { way: 'apitoken', token })
  return { id: token.id, scopes: token.scopes, secret, session, perm: narrowed.perm }
}

const issued: Awaited<ReturnType<typeof issue>>[] = []
beforeAll(async () => {
  for (const scopes of SETS) issued.push(await issue(scopes))
})

async function isChanged(): Promise<boolean> {
  const changed = JSON.stringify(await world.manifest()) !== JSON.stringify(untouched)
  if (changed) await world.restore()
  return changed
}

const ENDLESS = 'GET /api/events'
/** They end the session of the caller. */
const exampleOf = (path: string) => path.replace(/\*$/, 'nothing.bin').replace(/:\w+/g, '999')

describe('PAT-01 a token', () => {
  test('is refused by each call whose scope it lacks, and by all that refuse tokens, as is a session of it', async () => {
    const wrong: string[] = []
    for (const { scopes, secret, session } of issued) {
      for (const { method, name, route } of guarded) {
        const { token: needed = 'none' } = route
        const may = needed !== 'none' && scopes.includes(needed)
        if (may && name === ENDLESS) continue
        for (const token of may ? [secret] : [secret, session]) {
          const target = exampleOf(route.path)
          const { status, headers } = await world.ask({ method, target, token })
          const isRefused = status === 403 && headers['x-error-code'] === 'token_scope'
          // A token itself has no session to renew.
          const expected = !may || route.path === '/api/renew'
          if (isRefused !== expected || status === 401) wrong.push(`${name} with ${scopes}: ${status}`)
        }
      }
    }
    expect(wrong).toEqual([])
    await world.restore()
  })

  test('of a folder is refused by the same calls, whatever its scopes', async () => {
    const wrong: string[] = []
    for (const { scopes, secret } of issued) {
      const ofFolder = await issue(scopes, '/docs')
      for (const { method, name, route } of guarded) {
        const { token: needed = 'none' } = route
        if (name === ENDLESS && scopes.includes('read')) continue
        const ask = { method, target: exampleOf(route.path) }
        const [all, one] = [
          await world.ask({ ...ask, token: secret }),
          await world.ask({ ...ask, token: ofFolder.secret }),
        ]
        const isRefused = ({ status, headers }: typeof all) =>
          status === 403 && headers['x-error-code'] === 'token_scope'
        const may = needed !== 'none' && scopes.includes(needed)
        if (isRefused(all) !== isRefused(one) || (!may && !isRefused(one)) || one.status === 401)
          wrong.push(`${name} with ${scopes}: ${all.status} and ${one.status}`)
      }
      await tokens.end(account.id, ofFolder.id)
    }
    expect(wrong).toEqual([])
    await world.restore()
  })

  const acts = actsOf(world.routes)
  const isLink = (aim: string) => ['link', 'behind', 'alias'].includes(aim)
  const aims = Object.entries(AIMS).filter(([aim]) => !(inBucket && isLink(aim)))
  const callsByName = new Map(callsOf(world.routes).map(call => [call.name, call]))

  test.each(acts)('has by $name the effects of its scopes and no others', async ({ name, method, prefix, act }) => {
    const needed = callsByName.get(name.replace(/ \(\d+\)$/, ''))?.route.token ?? 'none'
    const wrong: string[] = []
    for (const [aim, path] of aims) {
      const needs: readonly Permission[] | undefined = act.needs[aim as keyof typeof AIMS]
      for (const { scopes, secret, perm } of needs === undefined ? issued.slice(-1) : issued) {
        const may = needed !== 'none' && scopes.includes(needed) && (needs?.every(right => perm[right]) ?? false)
        const { target = '', ...rest } = act.ask(path)
        const { status, text } = await world.ask({ method, target: prefix + target, token: secret, ...rest })
        if ((await isChanged()) !== (may && act.changes === true))
          wrong.push(`${aim} with ${scopes}: change, ${status}`)
        if (!act.quiet && status < 400 !== may) wrong.push(`${aim} with ${scopes}: ${status}`)
        if (!perm.download && text.includes(CONTENT)) wrong.push(`${aim} with ${scopes}: content`)
      }
    }
    expect(wrong).toEqual([])
  })

  test.each(acts)('PAT-02 of a folder has by $name no effect on anything else', async ({ method, prefix, act }) => {
    const others = [...aims.filter(([aim]) => aim !== 'folder').map(([, path]) => path), '/', '/docs-2', '/docs/..']
    // What is restored after a change is another folder.
    const ofFolder = await issue(TOKEN_SCOPES, '/docs')
    onTestFinished(() => void tokens.end(account.id, ofFolder.id))
    const reached = await world.ask({ method: 'GET', target: '/api/resources/docs/', token: ofFolder.secret })
    expect(reached.status).toBe(200)
    const wrong: string[] = []
    for (const path of others) {
      const { target = '', ...rest } = act.ask(path)
      const { status, text } = await world.ask({ method, target: prefix + target, token: ofFolder.secret, ...rest })
      if (await isChanged()) wrong.push(`${path}: change, ${status}`)
      if (!act.quiet && status < 400) wrong.push(`${path}: ${status}`)
      const named = text.replaceAll(path, '')
      if (named.includes(CONTENT) || named.includes('outfile')) wrong.push(`${path}: ${text}`)
    }
    expect(wrong).toEqual([])
  })
})

test('PAT-05 a token has no right that its account lacks', async () => {
  const weak = await world.enrol({ perm: { ...ALL_PERMISSIONS, modify: false, admin: false } })
  const { secret: token } = await tokens.create(weak.id, { ...ANY, scopes: TOKEN_SCOPES })
  expect((await world.ask({ method: 'PUT', target: '/api/resources/a.txt', token, body: 'new' })).status).toBe(403)
  expect((await world.ask({ method: 'GET', target: '/api/users', token })).status).toBe(403)
  expect((await world.ask({ method: 'GET', target: `/api/raw${ROOT}a.txt`, token })).text).toBe(CONTENT)
})

test('PAT-06 no response to all this contained a secret', () => {
  expect(world.seen.answers).toBeGreaterThan(500)
  // Administrators may know the host's folders.
  expect(world.seen.leaks.filter(leak => !leak.startsWith('GET /api/doctor'))).toEqual([])
})
