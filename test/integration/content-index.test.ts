import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, encode, json, signIn } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { enrol, PASSWORD } from '../api/people.ts'

const search = (server: OwnServer, token: string, folder: string, query: string) =>
  call(server, `/api/search${encode(folder)}?query=${encodeURIComponent(query)}`, { token })

async function plant(root: string): Promise<void> {
  await mkdir(join(root, 'home/secret/open'), { recursive: true })
  const files = [
    'home/letter.txt',
    'home/letter.md',
    'home/secret/letter.txt',
    'home/secret/open/letter.txt',
    'top.txt',
  ]
  for (const name of files) await writeFile(join(root, name), `Dear reader,\nthis is ${name} with a needle`)
}

test('content is found by users who may read it only', async () => {
  const args = ['--contentIndex', 'always', '--logLevel', 'info']
  const server = await startServer({ args, prepare: ({ root }) => plant(root) })
  onTestFinished(() => server.stop())
  const rules = [
    { path: '/secret', allow: false },
    { path: '/secret/open', allow: true },
  ]
  await enrol(server, [
    { name: 'ruled', scope: '/home', may: ['download'], rules },
    { name: 'lister', scope: '/home', may: [] },
  ])
  const [owner, ruled] = [await signIn(server), await signIn(server, 'ruled', PASSWORD)]
  await expect.poll(server.log, { timeout: 30_000 }).toContain('the index of contents is complete')
  expect((await call(server, '/')).text).toContain('"SearchesContents":true')
  const found = async (token: string, query: string) =>
    json(await search(server, token, '/', query)).map((hit: { path: string }) => hit.path)
  const answer = await search(server, owner, '/', 'content:needle content:"DEAR READER" type:txt')
  expect(answer.headers.get('x-content-index')).toBe('complete')
  expect(json(answer)).toHaveLength(4)
  expect(json(answer)[0]).toEqual({
    path: 'home/letter.txt',
    dir: false,
    match: { line: 2, text: 'this is home/letter.txt with a needle' },
  })
  expect(await found(owner, 'top content:needle')).toEqual(['top.txt'])
  expect(await found(owner, 'content:NEEDLE case:sensitive')).toEqual([])
  expect(await found(ruled, 'content:needle')).toEqual(['letter.md', 'letter.txt'])
  await call(server, '/api/resources/home/own.txt', { method: 'POST', token: owner, body: 'one more needle' })
  await expect.poll(() => found(ruled, 'content:needle')).toEqual(['letter.md', 'letter.txt', 'own.txt'])
  const refused = await search(server, await signIn(server, 'lister', PASSWORD), '/', 'content:needle')
  expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'forbidden'])
  expect(json(await search(server, ruled, '/missing', 'content:needle'))).toEqual([])
})

test.each(['--contentIndex', '--nameIndex'])('a server with %s off says so instead of finding nothing', async flag => {
  const server = await startServer({ args: [flag, 'off'], prepare: ({ root }) => plant(root) })
  onTestFinished(() => server.stop())
  expect((await call(server, '/')).text).toContain('"SearchesContents":false')
  const answer = await search(server, await signIn(server), '/', 'content:needle')
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([422, 'not_indexed'])
})
