import { writeFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { probeTarget } from '../../server/cli/doctor/ask.ts'
import { sentenceOf } from '../../server/cli/doctor/sentences.ts'
import { FINDINGS, type FindingCode } from '../../shared/api/diagnostics.ts'
import { probeTimeouts } from '../../shared/diagnostics/probe-timeouts.ts'
import { signIn } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { openConsole, serveOnce } from './console.ts'

/** A proxy that serves a server under `/files`, refuses large bodies and DELETE, and does not pass encoded slashes. */
async function strictProxy(server: OwnServer): Promise<string> {
  const proxy: Server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const refusal =
      Number(headers['content-length'] ?? 0) > 1024 ** 2
        ? 413
        : method === 'DELETE'
          ? 405
          : url.includes('%2F')
            ? 404
            : 0
    if (refusal > 0) {
      incoming.resume().on('end', () => outgoing.writeHead(refusal).end())
      return
    }
    const path = url.replace(/^\/files/, '')
    const onward = request({ host: server.host, port: server.port, method, path, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/files`
}

test('doctor finds nothing wrong with a server that is reached directly', async () => {
  const server = await serveOnce()
  const shell = await openConsole(server.home)
  const said = await shell.ok('doctor', '--url', server.url, '-d', server.database, '--root', server.root)
  expect(said).toMatch(/^ok +Database .* is OK\.$/m)
  expect(said).toMatch(/^ok +Uploads of 4 MiB in a single request work\.$/m)
  expect(said).not.toMatch(/^error/m)
})

test('doctor reports settings without effect', async () => {
  const shell = await openConsole()
  await writeFile(join(shell.home, '.filigree.json'), '{"prot": 1}')
  expect(await shell.ok('doctor', '--root', shell.home)).toMatch(/^warning .*there is no setting 'prot'/m)
})

test('doctor lists what a proxy blocks, with the lines to change', async () => {
  const server = await serveOnce()
  const shell = await openConsole(server.home)
  const url = await strictProxy(server)
  const { code, out } = await shell.run('doctor', '--url', url, '-d', server.database, '--root', server.root)
  expect(code).toBe(1)
  expect(out).toMatch(/^error +The base URL is wrong: \/$/m)
  expect(out).toContain('filigree --baseURL /files')
  expect(out).toMatch(/^error +Uploads of 4 MiB in a single request fail: 413$/m)
  expect(out).toContain('client_max_body_size 0;')
  expect(out).toMatch(/^error +DELETE requests are blocked/m)
  expect(out).toContain('AllowEncodedSlashes')
})

test('doctor tests slow responses for administrators, and names what to change where a proxy times out', async () => {
  const server = await serveOnce()
  const impatient: Server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const onward = request({ host: server.host, port: server.port, method, path: url, headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.setTimeout(3000, () => outgoing.writeHead(504).end()).on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => impatient.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void impatient.close())
  const { port } = impatient.address() as AddressInfo
  const ask = probeTarget(`http://127.0.0.1:${port}`, await signIn(server)).ask
  const [found, ...others] = await probeTimeouts(ask, 5)
  expect(others).toEqual([])
  expect(found).toMatchObject({ code: 'silenceStopped', amount: 5, what: '504' })
  expect(found?.lines?.join()).toContain('proxy_read_timeout')
  expect(await probeTimeouts(probeTarget(server.url, await signIn(server)).ask, 2)).toEqual([
    { code: 'waitsPass', amount: 2 },
  ])
})

test('doctor reports a folder that cannot be used', async () => {
  const shell = await openConsole()
  const { code, out } = await shell.run('doctor', '--root', 'nowhere', '--url', 'http://127.0.0.1:1')
  expect(code).toBe(1)
  expect(out).toMatch(/^error +The server can't write to .*nowhere\.$/m)
  expect(out).toMatch(/^error +.*\/health: nothing/m)
  expect(await shell.refused('doctor', '--url', 'files')).toContain('The URL must look like')
})

test.each(Object.keys(FINDINGS) as FindingCode[])('doctor has a sentence for %s', code => {
  expect(sentenceOf({ code, what: 'this', amount: 2 })).toMatch(/^(?:[A-Z\d]|this).* /)
  expect(sentenceOf({ code, what: 'this', amount: 2 })).not.toMatch(/[{}#]|undefined/)
})

test('doctor forms plurals, and adds what a text does not name', () => {
  expect(sentenceOf({ code: 'watchesFew', amount: 1 })).toBe('Only 1 folder can be watched at once.')
  expect(sentenceOf({ code: 'programsRefused', what: 'no bwrap' })).toMatch(/\. \(no bwrap\)$/)
})

test.each([
  ['damaged.db', 'a text', /^error +The database can't be used: .*damaged\.db$[\s\S]*filigree restore/m],
  ['old.db', Buffer.from(`${'00'.repeat(16)}edda0ced`, 'hex'), /^error +[\s\S]*filigree adopt .*old\.db$/m],
  ['lost.db', undefined, /^error +The database .*lost\.db is missing or empty, though it was set up before\.$/m],
])('doctor explains what to do about a database that cannot be used: %s', async (name, content, said) => {
  const shell = await openConsole()
  const file = join(shell.home, name)
  await writeFile(content === undefined ? `${file}.keep` : file, content ?? '')
  const { out } = await shell.run('doctor', '-d', file, '--root', shell.home, '--url', 'http://127.0.0.1:1')
  expect(out).toMatch(said)
})
