import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { probeTarget } from '../../server/cli/doctor/ask.ts'
import { stateOf } from '../../shared/api/diagnostics.ts'
import { probeProxy } from '../../shared/diagnostics/probe-proxy.ts'
import { encode, signIn } from '../api/client.ts'
import { openCommand, Refused } from '../api/command-client.ts'
import { uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { PIECE } from '../api/tus.ts'
import { commandsIn, follow, layOut } from '../docs/follow.ts'
import { ask, PROTOCOLS, type Question, type Visitor, visit } from './client.ts'
import {
  type Certificate,
  isThere,
  makeCertificate,
  PREFIX,
  PROXY_NAMES,
  type RunningProxy,
  startProxy,
  trust,
  WAYS,
} from './proxies.ts'

const MB = 1_000_000
const ODD = '100% a+b?#é&;.txt'

const folder = await mkdtemp(join(tmpdir(), 'certificate-'))
afterAll(() => rm(folder, { recursive: true, force: true }))
const certificate: Certificate = await makeCertificate(folder)
const trusting = await trust(certificate)
const args = ['--trustedProxies', '127.0.0.1', '--disableExec=false']
const SERVERS = {
  kept: await serve({ base: PREFIX, args }),
  stripped: await serve({ base: PREFIX, args: [...args, '--prefixStripped'] }),
}
const TOKENS = {
  kept: await signIn(SERVERS.kept),
  stripped: await signIn({ ...SERVERS.stripped, url: new URL(SERVERS.stripped.url).origin }),
}

const CASES = PROXY_NAMES.filter(isThere).flatMap(name => WAYS.map(way => ({ name, way, server: SERVERS[way] })))

describe.each(CASES)('behind $name, with the prefix $way,', ({ name, way, server }) => {
  let proxy: RunningProxy
  const token = TOKENS[way]
  beforeAll(async () => {
    proxy = await startProxy(name, way, { target: server, certificate })
  })
  afterAll(() => proxy.stop())

  test.each(PROTOCOLS)('users sign in and get a cookie for the prefix and HTTPS only, over %s', async by => {
    const body = Buffer.from(JSON.stringify({ username: 'admin', password: server.adminPassword, recaptcha: '' }))
    const headers = { 'Content-Type': 'application/json' }
    const answer = await once(proxy, by, { path: '/api/login', method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    expect(String(answer.headers['set-cookie']).split('; ')).toEqual(
      expect.arrayContaining([`Path=${PREFIX}`, 'Secure', 'HttpOnly']),
    )
  })

  test.each(PROTOCOLS)('files are downloaded by any name, whole and in parts, over %s', async by => {
    await writeFile(join(server.root, ODD), 'alpha')
    const bytes = Buffer.from(`/${uniqueName('b')}-\xff`, 'latin1')
    await writeFile(Buffer.concat([Buffer.from(server.root), bytes]), 'beta')
    const escaped = `${bytes.subarray(0, -1)}%FF`
    const auth = { 'X-Auth': token }
    const asked = [
      { path: `/api/raw/${encode(ODD)}`, headers: auth },
      { path: `/api/raw${escaped}`, headers: auth },
      { path: `/api/raw/${encode(ODD)}`, headers: { ...auth, Range: 'bytes=1-3' } },
    ]
    const answers = await Promise.all(asked.map(question => once(proxy, by, question)))
    expect(answers.map(({ status, body }) => `${status} ${body}`)).toEqual(['200 alpha', '200 beta', '206 lph'])
  })

  test.each(PROTOCOLS)('large files are uploaded, at once and in chunks, over %s', async by => {
    const content = randomBytes(3 * MB)
    const [whole, parts] = [uniqueName('whole'), uniqueName('parts')]
    const auth = { 'X-Auth': token }
    const at = `/api/tus/${parts}`
    const visitor = visit(proxy.origin, by)
    const send = (question: Question) => below(visitor, { ...question, headers: { ...auth, ...question.headers } })
    const patch = (from: number, to: number) =>
      send({
        path: at,
        method: 'PATCH',
        headers: { 'Upload-Offset': String(from), 'Content-Type': PIECE },
        body: content.subarray(from, to),
      })
    expect((await send({ path: `/api/resources/${whole}`, method: 'POST', body: content })).status).toBe(200)
    const created = await send({ path: at, method: 'POST', headers: { 'Upload-Length': String(content.length) } })
    expect(created.headers.location).toBe(`${PREFIX}${at}`)
    expect([(await patch(0, 2 * MB)).status, (await patch(2 * MB, 3 * MB)).status]).toEqual([204, 204])
    visitor.leave()
    for (const file of [whole, parts]) expect((await readFile(join(server.root, file))).equals(content)).toBe(true)
  })

  test.each(PROTOCOLS)('a client with an open folder is notified at once of changes in it, over %s', async by => {
    const visitor = visit(proxy.origin, by)
    const { stream } = await visitor.open({ path: `${PREFIX}/api/events?folder=/`, headers: { 'X-Auth': token } })
    let received = ''
    stream.on('data', (chunk: Buffer) => {
      received += chunk
    })
    stream.on('error', () => {})
    await writeFile(join(server.root, uniqueName('new')), 'x')
    await expect.poll(() => received).toContain('event: folder')
    visitor.leave()
  })

  test.each(PROTOCOLS)('a link opens without a session, with its page, over %s', async by => {
    await writeFile(join(server.root, ODD), 'alpha')
    const headers = { 'X-Auth': token, 'Content-Type': 'application/json' }
    const made = await once(proxy, by, {
      path: `/api/share/${encode(ODD)}`,
      method: 'POST',
      headers,
      body: Buffer.from('{}'),
    })
    const { hash } = JSON.parse(made.body.toString())
    const asked = [`/api/public/dl/${hash}`, `/share/${hash}`].map(path => once(proxy, by, { path }))
    const [file, page] = await Promise.all(asked)
    expect(`${file?.status} ${file?.body}`).toBe('200 alpha')
    expect(page?.body.toString()).toContain(`"BaseURL":"${PREFIX}"`)
  })

  test('the prefix without its slash redirects to the one with it', async () => {
    const visitor = visit(proxy.origin, 'HTTP/1.1')
    const answer = await ask(visitor, { path: PREFIX })
    visitor.leave()
    expect(String(answer.status)).toMatch(/^30[1278]$/)
    expect(new URL(String(answer.headers.location), proxy.origin).pathname).toBe(`${PREFIX}/`)
  })

  test('a terminal opens', async () => {
    const url = `${proxy.origin}${PREFIX}`
    const { socket, closed } = await openCommand({ url }, { token, options: { rejectUnauthorized: false } })
    socket.close()
    await closed
  })

  test('the doctor finds nothing that is blocked', async () => {
    const findings = await probeProxy(probeTarget(`${proxy.origin}${PREFIX}`))
    expect(findings.filter(finding => stateOf(finding) !== 'fine')).toEqual([])
  })
})

test.runIf(isThere('nginx'))('the guide shows the output of doctor through a proxy', async () => {
  const { root, database, home } = SERVERS.kept
  const proxy = await startProxy('nginx', 'kept', { target: SERVERS.kept, certificate })
  const written = commandsIn('docs/reverse-proxy.md').find(text => text.startsWith('filigree doctor')) ?? ''
  const commands = layOut(written, [[`https://files.example.org${PREFIX}`, `${proxy.origin}${PREFIX}`]])
  const env = { ...trusting, FILIGREE_ROOT: root, FILIGREE_DATABASE: database }
  expect(await follow(home, commands, { env })).toBe('fine')
  await proxy.stop()
})

test.each(PROXY_NAMES.filter(isThere))(
  'where %s lets no WebSocket through, only the terminal is unavailable',
  async name => {
    const proxy = await startProxy(name, 'kept', { target: SERVERS.kept, certificate, hurdles: ['sockets'] })
    const token = TOKENS.kept
    const url = `${proxy.origin}${PREFIX}`
    await expect(openCommand({ url }, { token, options: { rejectUnauthorized: false } })).rejects.toBeInstanceOf(
      Refused,
    )
    const answer = await once(proxy, 'HTTP/1.1', { path: '/api/resources/', headers: { 'X-Auth': token } })
    expect(answer.status).toBe(200)
    await proxy.stop()
  },
)

test('where a proxy strips the prefix, a URL with the prefix gives no access', async () => {
  const { origin } = new URL(SERVERS.stripped.url)
  const answer = await fetch(`${origin}${PREFIX}/api/login`, { method: 'POST', body: '{}' })
  expect(answer.status).toBe(404)
})

test('the recipe of the container is the one for a host name of its own', async () => {
  const read = async (path: string) => {
    const text = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
    return text.slice(text.indexOf('\nmap '))
  }
  const changed = (await read('docs/proxies/kept/nginx.conf'))
    .replace('location /filigree/', 'location /')
    .replace('127.0.0.1:8080', 'filigree:80')
    .replaceAll('/etc/ssl/', '/etc/ssl/filigree/')
  expect(await read('deploy/compose/nginx.conf')).toBe(changed)
})

async function once(proxy: RunningProxy, protocol: (typeof PROTOCOLS)[number], question: Question) {
  const visitor = visit(proxy.origin, protocol)
  const answer = await below(visitor, question)
  visitor.leave()
  return answer
}

/** Requests a path below the prefix. */
const below = (visitor: Visitor, question: Question) => ask(visitor, { ...question, path: `${PREFIX}${question.path}` })
