import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer } from '../api/accounts.ts'
import { type Answer, call } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { Dice } from '../fuzz/dice.ts'
import { directoryAt, logIn, withDirectories } from '../ldap/sign-in.ts'
import { person } from '../ldap/slapd.ts'
import { startSlapd } from '../ldap/start-slapd.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { begin, codeIn, comeBack, handOver, problemIn, providerAt, withProviders } from '../oidc/sign-in.ts'
import { hasPostgres, sharedPostgres } from '../scale/postgres.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

/** Seconds of random sign-ins. */
const SECONDS = size('SIGN_INS', 20)
/** Wrong passwords per kind of name. */
const GUESSES = size('TIMED_GUESSES', 20)
const USERS = 6
const EXPECTED = [200, 204, 401, 403, 429]

/** Lines in the logs of servers about answers 5xx and their causes. */
async function faultsIn(places: readonly OwnServer[]): Promise<string[]> {
  const logs = await Promise.all(places.map(place => place.log()))
  return logs.flatMap(log =>
    log
      .split('\n')
      .filter(line => /: 5\d\d |unavailable|ERROR|timeout/i.test(line))
      .slice(0, 200),
  )
}

describe.runIf(hasPostgres)('two servers on one database', async () => {
  const database = await (await sharedPostgres()).make()
  const provider = await startFalseProvider()
  const providers = [providerAt(provider.issuer)]
  const one = await serve(withProviders(providers, { database }))
  const other = await serve(withProviders(providers, { database, root: one.root }))
  const places = [one, other]

  test(
    'answer random sign-ins, renewals and log-outs with nothing but the expected statuses',
    async () => {
      const admin = await manager(one)
      const names: string[] = []
      for (let user = 0; user < USERS; user += 1) names.push((await newcomer(one, admin)).name)
      const dice = new Dice(SEED)
      const counts: Record<number, number> = {}
      const problems: Record<string, number> = {}
      const unexpected: string[] = []
      const note = ({ status, headers }: Answer, what: string) => {
        counts[status] = (counts[status] ?? 0) + 1
        if (!EXPECTED.includes(status)) unexpected.push(`${what}: ${status} ${headers.get('x-error-code')}`)
      }
      const until = performance.now() + SECONDS * 1000
      const actor = async (username: string): Promise<void> => {
        let token = ''
        while (performance.now() < until) {
          const place = dice.pick(places)
          const request = (path: string, method = 'GET') => call(place, path, { method, ...(token && { token }) })
          const [what, act] = dice.pick<[string, () => Promise<Answer>]>([
            ['right password', () => logIn(place, username, GOOD_PASSWORD)],
            ['wrong password', () => logIn(place, username, 'a-wrong-password', { address: '10.9.9.9' })],
            ['renewal', () => request('/api/renew', 'POST')],
            ['listing', () => request('/api/resources/')],
            ['sessions', () => request('/api/sessions')],
            ['log-out', () => request('/api/logout', 'POST')],
          ])
          const answer = await act()
          note(answer, what)
          if (answer.status === 200 && answer.text.split('.').length === 3) token = answer.text
        }
      }
      const visitor = async (): Promise<void> => {
        while (performance.now() < until) {
          const place = dice.pick(places)
          const begun = await begin(place)
          provider.nonce = begun.nonce
          const page = begun.state === '' ? begun.location : await comeBack(place, begun, provider)
          const problem = problemIn(page)
          if (problem === null) {
            const entered = await handOver(place, codeIn(page), begun.cookie)
            note(entered, 'handover')
            const token = entered.text
            note(await call(dice.pick(places), '/api/resources/', { token }), 'listing of a visitor')
            note(await call(dice.pick(places), '/api/logout', { method: 'POST', token }), 'log-out of a visitor')
          } else {
            problems[problem] = (problems[problem] ?? 0) + 1
            // A machine under load lets the provider answer late.
            if (problem !== 'away') unexpected.push(`visitor: ${page}`)
          }
          await pause(200)
        }
      }
      try {
        await Promise.all([...names.map(actor), visitor()])
      } finally {
        report(`sign-ins on two servers for ${SECONDS} s: ${JSON.stringify({ ...counts, ...problems })}`)
        for (const line of await faultsIn(places)) report(line)
      }
      expect(unexpected).toEqual([])
    },
    (SECONDS + 120) * 1000,
  )
})

test(
  'the time of a wrong password is that of an unknown name, here and in a directory',
  async () => {
    const slapd = await startSlapd(
      Array.from({ length: GUESSES }, (_, index) => person(`known${index}`, 'a-password-of-the-directory')).join('\n'),
    )
    const server = await serve(withDirectories([directoryAt(slapd)]))
    const timeOf = async (name: string) => {
      const began = performance.now()
      expect((await logIn(server, name, 'wrong-password')).status).toBe(403)
      return performance.now() - began
    }
    const times: Record<string, number[]> = { known: [], unknown: [] }
    for (let index = 0; index < GUESSES; index += 1) {
      for (const kind of ['known', 'unknown']) times[kind]?.push(await timeOf(`${kind}${index}`))
    }
    const at = (kind: string, share: number) =>
      times[kind]?.toSorted((a, b) => a - b)[Math.floor(GUESSES * share)] ?? Number.NaN
    const figures = (kind: string) => [0, 0.25, 0.5].map(share => at(kind, share).toFixed()).join(', ')
    report(
      `wrong passwords with a directory, least, quarter and half, in ms: known names ${figures('known')}; others ${figures('unknown')}`,
    )
    // Answers come at multiples of 250 ms; a busy machine only adds to a time.
    expect(Math.abs(at('known', 0.25) - at('unknown', 0.25))).toBeLessThan(60)
  },
  120_000 + GUESSES * 3000,
)
