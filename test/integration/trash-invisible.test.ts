import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findSandbox } from '../../server/sandbox/sandbox.ts'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { call, encode, json, person } from '../api/client.ts'
import { runCommand } from '../api/command-client.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { EVERYTHING } from '../api/people.ts'
import { snapshot } from '../api/snapshot.ts'
import { tusOf } from '../api/tus.ts'

const server = await serve({ args: ['--contentIndex', 'always', '--disableExec=false', '--logLevel', 'info'] })
await mkdir(join(server.root, 'docs'))
await writeFile(join(server.root, 'docs/needle.txt'), 'a haystack in the content')
await writeFile(join(server.root, 'stays.txt'), 'a haystack that stays')
const admin = await person(server)
const { token } = admin
const streams = new AbortController()
afterAll(() => streams.abort())

/** A stream of events. @returns its status, and what came so far */
async function streamOf(query: string) {
  const address = `${server.url}/api/events${query}`
  const { status, body } = await fetch(address, { headers: { 'X-Auth': token }, signal: streams.signal })
  let text = ''
  const read = async () => {
    for await (const piece of body ?? []) text += Buffer.from(piece).toString()
  }
  if (status === 200) void read().catch(() => {})
  return { status, text: () => text }
}

const all = await streamOf('?changes=true')
const ofRoot = await streamOf('?folder=%2F')
const id = (await admin.remove('/docs')).headers.get('X-Kept') ?? ''
await admin.put('/stays.txt', 'a haystack that stays, changed', '?override=true')
const area = (await readdir(server.root)).find(name => name.startsWith('.filigree-')) ?? ''
const [kept = ''] = await readdir(join(server.root, area, 'trash/files'))
const [shelf = ''] = (await readdir(join(server.root, area, 'versions'))).filter(name => name !== 'list')

test('TRASH-11 no search of contents finds what was deleted or replaced', async () => {
  expect([area, kept, shelf].every(name => name !== '')).toBe(true)
  const found = async () => {
    const answer = await call(server, `/api/search/?query=${encodeURIComponent('content:haystack')}`, { token })
    return json(answer).map(({ path }: { path: string }) => path)
  }
  await expect.poll(found, { timeout: 60_000 }).toEqual(['stays.txt'])
})

test('TRASH-11 events about a folder, and about changes, name no path of the area', async () => {
  expect((await streamOf(`?folder=${encodeURIComponent(`/${area}`)}`)).status).not.toBe(200)
  await expect.poll(all.text).toContain('event: change')
  await expect.poll(ofRoot.text).toContain('event: folder')
  for (const stream of [all, ofRoot]) expect(stream.text()).not.toContain(area)
})

test('TRASH-11 nothing is written to the area, moved into it or out of it, by any call', async () => {
  const before = await snapshot(server.root)
  const inside = [`/${area}/new`, `/${area}/trash/files/new`, `/${area}/versions/${shelf}/new`]
  const item = `/${area}/trash/files/${kept}`
  const tus = tusOf(server, admin)
  const move = (from: string, to: string, action: string) => {
    const query = new URLSearchParams({ action, destination: encode(to) })
    return call(server, `/api/resources${encode(from)}?${query}`, { method: 'PATCH', token })
  }
  for (const to of inside) {
    expect((await admin.put(to, 'new')).status).toBe(400)
    expect((await admin.put(`${to}/`)).status).toBe(400)
    expect((await tus.create(to, 3)).status).toBe(400)
    for (const action of ['rename', 'copy']) expect((await move('/stays.txt', to, action)).status).toBe(400)
  }
  const save = { method: 'PUT', token, body: 'mine' }
  for (const path of [`${item}/needle.txt`, `/${area}/mark`, `/${area}/README.txt`]) {
    expect([400, 404]).toContain((await call(server, `/api/resources${encode(path)}`, save)).status)
    for (const action of ['rename', 'copy']) expect((await move(path, '/taken', action)).status).toBe(404)
    expect((await admin.remove(path, '?permanent=true')).status).toBe(404)
    expect((await call(server, `/api/share${encode(path)}`, { method: 'POST', token })).status).toBe(404)
    expect((await call(server, `/api/versions${encode(path)}`, { token })).status).toBe(404)
  }
  const jobs = jobsOf(server, admin)
  const archive = { to: '/all.zip', format: 'zip' } as const
  for (const { items } of [
    await jobs.run({ kind: 'copy', items: [{ from: item, to: '/taken' }] }),
    await jobs.run({ kind: 'delete', items: [{ from: item }] }),
    await jobs.run({ kind: 'archive', items: [{ from: item }], archive }),
  ])
    expect(items).toMatchObject([{ state: 'failed', code: 'not_found' }])
  expect(await snapshot(server.root)).toEqual(before)
})

const canSandbox = findSandbox('bubblewrap', { PATH: process.env.PATH ?? '' }, tmpdir()).state === 'bubblewrap'

describe.runIf(canSandbox)('in the sandbox', () => {
  test('TRASH-11 commands see the area as an empty folder, and change nothing in it', async () => {
    const chief = await manager(server)
    const rights = perm('execute', ...EVERYTHING)
    const ann = await newcomer(server, chief, { scope: '/', perm: rights, commands: ['ls', 'cat', 'touch', 'find'] })
    const run = async (line: string) => (await runCommand(server, line, { token: ann.token })).lines.join('\n')
    const before = await snapshot(join(server.root, area))
    expect(await run('ls -A')).toContain('stays.txt')
    expect(await run(`ls -A ${area}`)).not.toMatch(/trash|versions|mark/)
    expect(await run(`cat ${area}/trash/files/${kept}/needle.txt`)).not.toContain('haystack')
    expect(await run(`find . -name "needle*"`)).not.toContain('needle.txt')
    await run(`touch ${area}/trash/files/new`)
    expect(await snapshot(join(server.root, area))).toEqual(before)
    const answer = await call(server, `/api/trash/raw/${id}/needle.txt`, { token })
    expect(answer.text).toBe('a haystack in the content')
  })
})
