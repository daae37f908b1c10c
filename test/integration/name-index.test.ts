import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { found, NEEDLES, SECRET, SIZES_OF_HOME, untilComplete } from '../api/indexed.ts'
import { enrol, PASSWORD } from '../api/people.ts'

const ALWAYS = { args: ['--nameIndex', 'always', '--logLevel', 'info'] }

async function plant(root: string): Promise<void> {
  await mkdir(join(root, 'home/secret/open'), { recursive: true })
  for (const name of NEEDLES) {
    await writeFile(join(root, name), '')
  }
}

test('an index finds recent changes, here or by others, and only what the user may see', async () => {
  const server = await startServer({ ...ALWAYS, prepare: ({ root }) => plant(root) })
  onTestFinished(() => server.stop())
  await enrol(server, [{ name: 'ruled', scope: '/home', may: [], rules: SECRET }])
  const [owner, ruled] = [await signIn(server), await signIn(server, 'ruled', PASSWORD)]
  await untilComplete(server)
  expect(await found(server, owner, '/', 'NEEDLE')).toEqual(NEEDLES)
  expect(await found(server, owner, '/', 'needle type:PDF')).toEqual(['needle.PDF'])
  expect(await found(server, ruled, '/', 'needle')).toEqual(['needle'])
  await call(server, '/api/resources/home/own%20needle', { method: 'POST', token: owner, body: 'x' })
  expect(await found(server, ruled, '/', 'needle')).toEqual(['needle', 'own needle'])
  const totals = async (folder: string) =>
    json(await call(server, `/api/usage/${folder}?below=true`, { token: owner })).below
  expect(await totals('home/')).toEqual({ bytes: 1, files: 4, folders: 2 })
  expect(await totals('needle.PDF')).toBeUndefined()
  const sizes = async (folder: string, token: string) => json(await call(server, `/api/sizes${folder}`, { token }))
  expect(await sizes('/home/', owner)).toMatchObject(SIZES_OF_HOME)
  expect(await sizes('/', ruled)).toMatchObject({ state: 'known', files: 2, folders: 0, count: 2, bytes: 1 })
  expect((await call(server, '/api/sizes/secret/', { token: ruled })).status).toBe(403)
  const folders = await sizes('/?folders=true', owner)
  expect(folders).toMatchObject({ state: 'known', items: [{ name: 'home', isDir: true, bytes: 1 }] })
  expect(await sizes('/?folders=true', ruled)).toMatchObject({ state: 'none', items: [] })
  expect(json(await call(server, '/api/usage/?below=true', { token: ruled })).below).toBeUndefined()
  await rename(join(server.root, 'home/needle'), join(server.root, 'home/thread'))
  await mkdir(join(server.root, 'home/needles'))
  expect(await found(server, ruled, '/', 'needle')).toEqual(['needles/', 'own needle'])
})

test('an index is correct again after a kill, and rebuilt when its file is corrupt', async () => {
  let server = await startServer({ ...ALWAYS, prepare: ({ root }) => plant(root) })
  onTestFinished(() => server.stop())
  await untilComplete(server)
  await server.end('SIGKILL')
  await writeFile(join(server.root, 'home/late needle'), '')
  server = await startServer({ ...ALWAYS, home: server.home })
  await untilComplete(server, 2)
  expect(await found(server, await signIn(server), '/home', 'late')).toEqual(['late needle'])
  await server.end()
  await writeFile(`${server.database}.names`, 'an unreadable index')
  server = await startServer({ ...ALWAYS, home: server.home })
  await untilComplete(server, 3)
  expect(await server.log()).toContain('the index of names was thrown away')
  expect(await found(server, await signIn(server), '/home', 'late')).toEqual(['late needle'])
})
