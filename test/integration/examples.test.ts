import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { EXAMPLES } from '../../server/features/openapi/examples/curl.ts'
import { callsIn, judgeOf, readDescription } from '../api/description.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { directoryAt } from '../ldap/sign-in.ts'
import { person } from '../ldap/slapd.ts'
import { startSlapd } from '../ldap/start-slapd.ts'
import { openSink, withMail } from '../mail/sink.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { providerAt } from '../oidc/sign-in.ts'
import type { Place, Values } from './example-place.ts'
import { afterSignIns, beforeSignIns } from './example-sign-ins.ts'
import { AFTER, BEFORE, layOut } from './example-state.ts'

const sink = await openSink()
afterAll(() => sink.close())
const provider = await startFalseProvider()
const slapd = await startSlapd(person('una', 'copper-anvil-drifts-9'))
const home = await makeHome()
await mkdir(join(home, 'media'))
const wire = await serve({
  home,
  prepare: layOut,
  args: [
    '--disableExec=false',
    '--execSandbox=none',
    '--snapshots',
    '{top}/.shots/home.%Y%m%dT%H%M',
    ...withMail(sink),
  ],
  env: {
    FILIGREE_ROOTS: `media=${join(home, 'media')}`,
    FILIGREE_PROVIDERS: JSON.stringify([providerAt(provider.issuer)]),
    FILIGREE_DIRECTORIES: JSON.stringify([directoryAt(slapd)]),
  },
})
const document = await readDescription(wire)
const calls = callsIn(document)
const judge = judgeOf(document)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const sourceOf = new Map(calls.map(one => [nameOf(one), one.operation['x-codeSamples']?.[0]?.source]))

/** They end only when the client closes the connection. */
const ENDLESS = ['GET /api/events', 'GET /api/doctor/socket', 'GET /api/command/{path}']

test('every call has an example', () => {
  expect(calls.map(nameOf).filter(name => sourceOf.get(name) === undefined)).toEqual([])
  expect(Object.keys(EXAMPLES).filter(name => !sourceOf.has(name))).toEqual([])
})

test('every example works, and its response has the described shape', async () => {
  const place: Place = { wire, sink, values: { $URL: wire.url }, body: '' }
  const wrong: unknown[] = []
  const [before, after] = [
    { ...BEFORE, ...beforeSignIns(provider) },
    { ...AFTER, ...afterSignIns(provider) },
  ]
  for (const name of Object.keys(EXAMPLES)) {
    try {
      Object.assign(place.values, await before[name]?.(place))
      place.body = await follow(laidOut(sourceOf.get(name) ?? '', place.values), place.values, ENDLESS.includes(name))
      const { refused } = EXAMPLES[name] ?? {}
      if (refused !== undefined && !place.body.startsWith(`${refused} `)) wrong.push(`${name}: ${place.body}`)
      if (/^[[{]/.test(place.body) && isJson(name)) {
        const status = statusOf(name)
        wrong.push(...judge(name, status, JSON.parse(place.body)).map(problem => `${name}: ${problem}`))
      }
      Object.assign(place.values, await after[name]?.(place))
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
  const options = { cwd: wire.home, env, timeout: endless ? 2000 : 10_000 }
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', `exec ${line}`], options, (error, stdout) => {
      if (error && !(endless && stdout !== '')) reject(new Error(`${error.code}: ${line}`))
      else resolve(stdout)
    })
  })
}
