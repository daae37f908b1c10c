import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { openRelay } from '../ldap/relay.ts'
import { directoryAt, logIn, withDirectories } from '../ldap/sign-in.ts'
import { person } from '../ldap/slapd.ts'
import { startSlapd } from '../ldap/start-slapd.ts'
import { report } from './report.ts'

const PASSWORD = 'a-password-of-the-directory'
const SIGN_INS = 200
/** Those that ask the directory, and those that wait. */
const TAKEN = 8 + 64
/** Of the directory for each sign-in, which asks it for three answers, in milliseconds. */
const SLOWNESS = 2000

test('LDAP-09 of 200 sign-ins at once at a directory that takes 2 s, 72 come in and the others are refused; local users sign in within a second', async () => {
  const names = Array.from({ length: SIGN_INS }, (_, index) => `user${index}`)
  const slapd = await startSlapd(names.map(uid => person(uid, PASSWORD)).join('\n'))
  const relay = await openRelay(slapd.port, { delay: SLOWNESS / 3 })
  const urls = [`ldap://127.0.0.1:${relay.port}`]
  const directory = directoryAt(slapd, { urls, tls: 'none', allowPlain: true, groups: 'off' })
  const server = await serve(withDirectories([directory]))
  const timeOfLocal = async () => {
    const began = performance.now()
    expect((await logIn(server, 'admin', ADMIN_PASSWORD)).status).toBe(200)
    return performance.now() - began
  }
  // What a busy machine takes without the directory.
  const usual = Math.max(...[await timeOfLocal(), await timeOfLocal(), await timeOfLocal()])
  const waiting = new Set(names)
  const tried = names.map(name =>
    logIn(server, name, PASSWORD).finally(() => {
      waiting.delete(name)
    }),
  )
  const times: number[] = []
  while (waiting.size > 0) {
    times.push(await timeOfLocal())
    await pause(250)
  }
  const answers = await Promise.all(tried)
  const counts = Object.groupBy(answers, ({ status }) => status)
  const slowest = Math.max(...times)
  report(
    `200 sign-ins at a directory of 2 s: ${Object.entries(counts).map(([status, { length } = []]) => `${length} of ${status}`)}; ${times.length} local ones, ${slowest.toFixed()} ms at most`,
  )
  expect(counts[200]).toHaveLength(TAKEN)
  expect(counts[503]).toHaveLength(SIGN_INS - TAKEN)
  expect(counts[503]?.every(({ headers }) => headers.get('retry-after') === '5')).toBe(true)
  expect(slowest).toBeLessThan(1000 + usual)
}, 120_000)
