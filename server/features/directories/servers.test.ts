import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDirectories } from '../../../test/ldap/directories.ts'
import { openRelay } from '../../../test/ldap/relay.ts'
import { directoryAt } from '../../../test/ldap/sign-in.ts'
import { person, READER } from '../../../test/ldap/slapd.ts'
import { startSlapd } from '../../../test/ldap/start-slapd.ts'
import { freePort } from '../../../test/proxies/free-port.ts'
import type { AppError } from '../../errors.ts'

const PASSWORD = 'a-password-of-the-directory'
const slapd = await startSlapd(['eve', 'bob'].map(uid => person(uid, PASSWORD)).join('\n'))
const PLAIN = { tls: 'none', allowPlain: true }
const AWAY = { code: 'provider_unavailable', provider: 'Head office' }

let logged = slapd.log().length
const asked = () => slapd.log().slice(logged)
afterEach(() => {
  logged = slapd.log().length
})

const urls = (...ports: number[]) => ports.map(port => `ldap://127.0.0.1:${port}`)
const at = (ports: number[], more: object = {}) => directoryAt(slapd, { urls: urls(...ports), ...more })

async function listening(server: Server): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

function makeCertificate(folder: string, { name, names, days }: { name: string; names: string; days: string }): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  writeFileSync(join(folder, 'names'), `subjectAltName=${names}`)
  openssl('req', ...key, '-subj', '/CN=x', '-keyout', `${name}.key`, '-out', `${name}.csr`)
  const signed = ['-signkey', `${name}.key`, '-days', days, '-extfile', 'names']
  openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`)
}

describe('LDAP-03 no password is sent', () => {
  /** Neither that of the searching account nor that of the user is in what was sent. */
  const demandSilence = (sent: Buffer) => {
    for (const secret of [READER.password, PASSWORD, 'eve']) expect(sent.includes(secret)).toBe(false)
  }

  test('to a server whose certificate is of another name, of another authority, or has expired', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'filigree-certificate-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const strangers = [
      ['other', 'DNS:other.example.org', '2', /ALTNAME/],
      ['old', 'IP:127.0.0.1', '-1', /EXPIRED/],
    ] as const
    for (const [name, names, days, reason] of strangers) {
      makeCertificate(folder, { name, names, days })
      const [key = '', cert = ''] = ['key', 'pem'].map(end => readFileSync(join(folder, `${name}.${end}`), 'utf8'))
      const received: Buffer[] = []
      const collect = (chunk: Buffer) => void received.push(chunk)
      const port = await listening(createTlsServer({ key, cert }, socket => socket.on('data', collect)))
      const caFile = join(folder, `${name}.pem`)
      const { logIn, warnings } = await openDirectories(
        directoryAt(slapd, { urls: [`ldaps://127.0.0.1:${port}`], caFile }),
      )
      await expect(logIn('eve', PASSWORD)).rejects.toMatchObject(AWAY)
      expect(JSON.stringify(warnings)).toMatch(reason)
      expect(received).toEqual([])
    }
    const both = [`ldaps://127.0.0.1:${slapd.securePort}`, ...urls(slapd.port)]
    const { logIn } = await openDirectories(directoryAt(slapd, { urls: both, caFile: join(folder, 'other.pem') }))
    await expect(logIn('eve', PASSWORD)).rejects.toMatchObject(AWAY)
    expect(asked()).not.toContain('BIND')
  })

  test.each([
    ['refuses StartTLS', { instead: Buffer.from('300c02010178070a010204000400', 'hex') }],
    ['answers it with something else', { instead: Buffer.from('HTTP/1.1 200 OK\r\n\r\n') }],
    ['adds bytes to its answer', { behind: Buffer.from('300c02010261070a010004000400', 'hex') }],
    ['ends the connection', { endsFrom: 0 }],
  ])('to a server that %s', async (_what, fault) => {
    const relay = await openRelay(slapd.port, fault)
    const { logIn } = await openDirectories(at([relay.port]))
    await expect(logIn('eve', PASSWORD)).rejects.toMatchObject(AWAY)
    expect(relay.connections).toBe(1)
    expect(relay.sent.length).toBe(31)
    demandSilence(relay.sent)
  })

  test('LDAP-10 in plain text when the server ends the connection behind StartTLS', async () => {
    // The answers are that to StartTLS, and those of TLS: everything from the third on is encrypted.
    for (const endsFrom of [1, 2, 3]) {
      const relay = await openRelay(slapd.port, { endsFrom })
      const { logIn } = await openDirectories(at([relay.port]))
      await logIn('eve', PASSWORD).catch(() => {})
      demandSilence(relay.sent)
      expect(relay.connections).toBeLessThanOrEqual(2)
    }
  })
})

describe('with several servers', () => {
  test('LDAP-04 the second one lets in when the first is off', async () => {
    const { logIn } = await openDirectories(at([await freePort(), slapd.port]))
    expect((await logIn('eve', PASSWORD))?.user.username).toBe('eve')
  })

  test('LDAP-04 the second one lets in when the first is silent, also behind the bind, or ends, also within a search, and is then asked last', async () => {
    // The answers are those to the bind of the searching account, and to its search.
    const faults = [{ hangsFrom: 0 }, { hangsFrom: 1 }, { endsFrom: 1 }, { breaksAt: 1 }]
    const healthy = await openDirectories(at([slapd.port], PLAIN))
    const tried = faults.map(async fault => {
      const relay = await openRelay(slapd.port, fault)
      const { logIn } = await openDirectories(at([relay.port, slapd.port], PLAIN))
      const took = async (name: string, enter = logIn) => {
        const began = performance.now()
        expect((await enter(name, PASSWORD))?.user.username).toBe(name)
        return performance.now() - began
      }
      // What the machine takes without a fault, while the other faults are tried.
      const usual = await took('bob', healthy.logIn)
      expect(await took('eve')).toBeLessThan(4000 + usual)
      const { connections } = relay
      const times: number[] = []
      for (let more = 0; more < 5; more += 1) times.push(await took('bob'))
      expect(times.at(-1)).toBeLessThan(1000 + usual)
      expect(relay.connections).toBe(connections)
    })
    const silent = Promise.all([listening(createServer(() => {})), listening(createServer(() => {}))])
    const { logIn } = await openDirectories(at(await silent))
    await expect(logIn('bob', PASSWORD)).rejects.toMatchObject(AWAY)
    expect(await logIn('admin', 'a local one')).toBeUndefined()
    await Promise.all(tried)
  })

  test('LDAP-05 a wrong password is tried once', async () => {
    const [first, second] = [await openRelay(slapd.port), await openRelay(slapd.port)]
    const { logIn } = await openDirectories(at([first.port, second.port], PLAIN))
    await expect(logIn('eve', 'wrong')).rejects.toMatchObject({ code: 'wrong_credentials' })
    expect(second.connections).toBe(0)
    expect(asked().match(/BIND dn="uid=eve,[^"]*" method/g)).toHaveLength(1)
  })
})

test('LDAP-09 eight sign-ins ask at once, 64 wait, and the others are refused; local accounts are not concerned', async () => {
  const { logIn } = await openDirectories(directoryAt(slapd))
  slapd.freeze()
  const outcome = () =>
    logIn('eve', PASSWORD).then(
      found => found?.user.username,
      ({ code, wait }: AppError) => [code, wait],
    )
  const tried = Array.from({ length: 200 }, outcome)
  expect(await Promise.all(tried.slice(72))).toEqual(Array(128).fill(['unavailable', 5000]))
  expect(await logIn('admin', 'a local one')).toBeUndefined()
  slapd.thaw()
  expect(await Promise.all(tried.slice(0, 72))).toEqual(Array(72).fill('eve'))
})

test('LDAP-09 a directory that takes seconds for each answer lets in who waits, and delays no local account', async () => {
  const relay = await openRelay(slapd.port, { delay: 700 })
  const { logIn } = await openDirectories(at([relay.port], PLAIN))
  let waiting = 20
  const tried = Array.from({ length: waiting }, () =>
    logIn('eve', PASSWORD).finally(() => {
      waiting -= 1
    }),
  )
  const times: number[] = []
  while (waiting > 0) {
    const began = performance.now()
    expect(await logIn('admin', 'a local one')).toBeUndefined()
    times.push(performance.now() - began)
    await pause(100)
  }
  expect(times.length).toBeGreaterThan(5)
  expect(times.toSorted((a, b) => a - b)[times.length >> 1]).toBeLessThan(1000)
  expect((await Promise.all(tried)).map(found => found?.user.username)).toEqual(Array(20).fill('eve'))
})
