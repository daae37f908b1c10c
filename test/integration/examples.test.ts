import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { EXAMPLES } from '../../server/features/openapi/examples/curl.ts'
import { callsIn, judgeOf, readDescription } from '../api/description.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { openSink, withMail } from '../mail/sink.ts'
import { AFTER, BEFORE, layOut, type Place, type Values } from './example-state.ts'

const sink = await openSink()
afterAll(() => sink.close())
const args = ['--disableExec=false', '--execSandbox=none', ...withMail(sink)]
const home = await makeHome()
const env = { FILIGREE_ROOTS: `media=${join(home, 'media')}` }
await mkdir(join(home, 'media'))
const wire = await serve({ home, prepare: layOut, args, env })
const document = await readDescription(wire)
const calls = callsIn(document)
const judge = judgeOf(document)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const sourceOf = new Map(calls.map(one => [nameOf(one), one.operation['x-codeSamples']?.[0]?.source]))

/** Calls without an example: what they need is no matter of one `curl` line. */
const WITHOUT: Readonly<Record<string, string>> = {
  'GET /api/oidc/{slug}/start': 'a provider',
  'POST /api/oidc/{slug}/link': 'a provider',
  'POST /api/oidc/{slug}/trial': 'a provider',
  'GET /api/providers/trials/{id}': 'a provider',
  'POST /api/directories/{slug}/trial': 'a directory',
  'POST /api/directories/{slug}/sync': 'a directory',
  'GET /api/oidc/{slug}/callback': 'a provider',
  'POST /api/oidc/{slug}/backchannel-logout': 'a provider',
  'POST /api/login/handover': 'a provider',
  'POST /api/login/passkey/options': 'an authenticator',
  'POST /api/login/passkey': 'an authenticator',
  'POST /api/login/factor/passkey': 'an authenticator',
  'POST /api/account/passkeys/options': 'an authenticator',
  'POST /api/account/passkeys': 'an authenticator',
  'POST /api/login/enrol/totp': 'a user under a duty',
  'POST /api/login/enrol/totp/confirm': 'a user under a duty',
  'POST /api/login/enrol/passkey/options': 'a user under a duty',
  'POST /api/login/enrol/passkey': 'a user under a duty',
  'DELETE /api/account/devices/{id}': 'the cookie of a browser',
  'DELETE /api/account/identities/{slug}': 'an OpenID provider',
  'PATCH /api/account/passkeys/{id}': 'an authenticator',
  'DELETE /api/account/passkeys/{id}': 'an authenticator',
  'GET /api/paper/{path}': 'LibreOffice on the host',
  'HEAD /api/paper/{path}': 'LibreOffice on the host',
  'GET /api/public/paper/{path}': 'LibreOffice on the host',
  'HEAD /api/public/paper/{path}': 'LibreOffice on the host',
  'GET /api/preview/{path}': 'it only says why it is refused',
  'HEAD /api/preview/{path}': 'it only says why it is refused',
  'DELETE /api/grants/received/{id}': 'another user who shares something',
  'POST /api/snapshots/{path}': 'a file system with snapshots',
  'PATCH /api/integrity/findings/{id}': 'a damaged disk',
  'GET /api/command/{path}': 'a WebSocket',
  'GET /api/doctor/socket': 'a WebSocket',
}

/** The stream ends only when the client closes it. */
const ENDLESS = 'GET /api/events'

test('every call has an example, except those that need more than curl', () => {
  const silent = calls.map(nameOf).filter(name => sourceOf.get(name) === undefined)
  expect(silent.sort()).toEqual(Object.keys(WITHOUT).sort())
  expect(Object.keys(EXAMPLES).filter(name => !sourceOf.has(name))).toEqual([])
})

test('every example works, and its response has the described shape', async () => {
  const place: Place = { wire, sink, values: { $URL: wire.url }, body: '' }
  const wrong: unknown[] = []
  for (const name of Object.keys(EXAMPLES)) {
    try {
      Object.assign(place.values, await BEFORE[name]?.(place))
      place.body = await follow(laidOut(sourceOf.get(name) ?? '', place.values), place.values, name === ENDLESS)
      if (/^[[{]/.test(place.body) && isJson(name)) {
        const status = statusOf(name)
        wrong.push(...judge(name, status, JSON.parse(place.body)).map(problem => `${name}: ${problem}`))
      }
      Object.assign(place.values, await AFTER[name]?.(place))
    } catch (error) {
      wrong.push(`${name}: ${error}`)
    }
  }
  expect(wrong).toEqual([])
})

const responsesOf = (name: string) => {
  const [method = '', path = ''] = name.split(' ')
  return document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
}
const statusOf = (name: string) => Number(Object.keys(responsesOf(name)).find(status => status.startsWith('2')))
const isJson = (name: string) => Object.keys(responsesOf(name)[statusOf(name)]?.content ?? {})[0] === 'application/json'

/** The line with the values of earlier responses. */
const laidOut = (line: string, values: Values) => line.replace(/\b[A-Z]+(?:_[A-Z]+)+\b/g, word => values[word] ?? word)

function follow(line: string, { $URL = '', $TOKEN = '', $API_TOKEN = '' }: Values, endless: boolean): Promise<string> {
  const env = { ...process.env, URL: $URL, TOKEN: $TOKEN, API_TOKEN: $API_TOKEN }
  const options = { cwd: wire.home, env, timeout: endless ? 1000 : 10_000 }
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', `exec ${line}`], options, (error, stdout) => {
      if (error && !(endless && error.killed && stdout !== '')) reject(new Error(`${error.code}: ${line}`))
      else resolve(stdout)
    })
  })
}
