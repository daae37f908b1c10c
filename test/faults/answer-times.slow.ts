import { afterAll, expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { codeAt, fromBase32, stepAt } from '../../server/features/factors/totp.ts'
import { changeAddress } from '../../server/features/mail/addresses.store.ts'
import { makeSecret } from '../../server/features/tokens/secret.ts'
import { setDisabled } from '../../server/features/users/users.store.ts'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { logIn } from '../ldap/sign-in.ts'
import { openSink, withMail } from '../mail/sink.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

/** Attempts of each kind: at sign-ins, which are answered at multiples of 250 ms, and elsewhere. */
const [SIGN_INS, CALLS] = [size('TIMED_GUESSES', 20), size('TIMED_CALLS', 400)]
/** Attempts at sign-ins for one name, which would have to wait after more. */
const PER_NAME = 5

const sink = await openSink()
afterAll(() => sink.close())
const server = await serve({ args: ['--trustedProxies', '127.0.0.1', ...withMail(sink)] })
const admin = await manager(server)
const { db } = await openDb(server.database)
afterAll(() => db.destroy())

let networks = 0
const network = () => {
  networks += 1
  return `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`
}

type Attempt = (index: number) => Promise<unknown>

/** The time of a quarter of the attempts of each kind, which take turns, in milliseconds. A busy machine only adds to it. */
async function timesOf(kinds: Readonly<Record<string, Attempt>>, rounds: number, what: string): Promise<number[]> {
  const times = new Map(Object.keys(kinds).map(kind => [kind, [] as number[]]))
  for (let index = 0; index < rounds; index += 1) {
    for (const [kind, attempt] of Object.entries(kinds)) {
      const began = performance.now()
      await attempt(index)
      times.get(kind)?.push(performance.now() - began)
    }
  }
  const at = (kind: string, share: number) =>
    times.get(kind)?.toSorted((a, b) => a - b)[Math.floor(rounds * share)] ?? Number.NaN
  const figures = Object.keys(kinds).map(
    kind => `${kind} ${[0.25, 0.5].map(share => at(kind, share).toFixed(2)).join('/')}`,
  )
  report(`${what}, a quarter and half of ${rounds} within, in ms: ${figures.join(', ')}`)
  return Object.keys(kinds).map(kind => at(kind, 0.25))
}

const difference = (times: readonly number[]) => Math.max(...times) - Math.min(...times)

test(
  'MFA-10 a wrong password takes the time of an unknown name, also where an account is closed or has a second factor',
  async () => {
    const accounts = Math.ceil(SIGN_INS / PER_NAME)
    const known = await Promise.all(Array.from({ length: accounts }, () => newcomer(server, admin)))
    const closed = await Promise.all(Array.from({ length: accounts }, () => newcomer(server, admin)))
    for (const { id } of closed) await setDisabled(db, id, true)
    const guarded = await Promise.all(Array.from({ length: accounts }, () => newcomer(server, admin)))
    for (const { token } of guarded) {
      const post = async (path: string, body: object) => json(await send(server, 'POST', path, token, body))
      const { secret } = await post('/api/account/totp', {})
      await post('/api/account/totp/confirm', { code: codeAt(fromBase32(secret), stepAt(Date.now())) })
    }
    const tryAs = (names: readonly string[], password: string): Attempt => {
      return async index => {
        const name = names[Math.floor(index / PER_NAME)] ?? ''
        expect((await logIn(server, name, password)).status).toBe(403)
      }
    }
    const namesOf = (users: readonly { name: string }[]) => users.map(({ name }) => name)
    const kinds = {
      unknown: tryAs(
        namesOf(known).map(name => `${name}-none`),
        OTHER_PASSWORD,
      ),
      wrong: tryAs(namesOf(known), OTHER_PASSWORD),
      closed: tryAs(namesOf(closed), GOOD_PASSWORD),
      'with a second factor': tryAs(namesOf(guarded), OTHER_PASSWORD),
    }
    expect(difference(await timesOf(kinds, SIGN_INS, 'sign-ins'))).toBeLessThan(60)
  },
  SIGN_INS * 8000 + 120_000,
)

test(
  'PAT-03 an API token takes the same time whether it is unknown, or of another name or network',
  async () => {
    const { token: session } = await newcomer(server, admin)
    const make = async (more: object) =>
      json(await send(server, 'POST', '/api/tokens', session, { label: 'x', scopes: ['read'], ...more })).token
    const [own, confined] = [await make({}), await make({ networks: ['192.0.2.0/24'] })]
    const attempt = (secret: () => string, name?: string): Attempt => {
      return async () => {
        const plain = `Basic ${Buffer.from(`${name}:${secret()}`).toString('base64')}`
        const Authorization = name === undefined ? `Bearer ${secret()}` : plain
        const headers = { Authorization, 'X-Forwarded-For': network() }
        expect((await call(server, '/api/resources/', { headers })).status).toBe(401)
      }
    }
    const kinds = {
      unknown: attempt(makeSecret),
      'unknown with a name': attempt(makeSecret, 'admin'),
      'of another name': attempt(() => own, 'admin'),
      'of another network': attempt(() => confined),
    }
    // What a request takes here; the difference is below what a network adds.
    expect(difference(await timesOf(kinds, CALLS, 'API tokens'))).toBeLessThan(1)
  },
  CALLS * 400 + 60_000,
)

test(
  'MAIL-04 a forgotten password takes the same time for a name that exists and one that does not',
  async () => {
    const user = await newcomer(server, admin)
    await changeAddress(db, user.id, { address: 'timed@example.org' })
    const ask = (name: string): Attempt => {
      return async () => {
        const headers = { 'X-Forwarded-For': network() }
        const body = JSON.stringify({ name })
        expect((await call(server, '/api/password-reset', { method: 'POST', headers, body })).status).toBe(202)
      }
    }
    const kinds = { known: ask(user.name), unknown: ask(`${user.name}-none`), address: ask('timed@example.org') }
    expect(difference(await timesOf(kinds, CALLS / 4, 'forgotten passwords'))).toBeLessThan(2)
  },
  CALLS * 400 + 60_000,
)
