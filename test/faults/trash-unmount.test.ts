import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { call, json, person } from '../api/client.ts'
import { mountAgain, mountImage, unmount } from '../api/disks.ts'
import { makeHome, startServer } from '../api/harness.ts'
import { openConsole } from '../cli/console.ts'
import { resultsOf, trashOf, type Visitor } from './trash-operations.ts'

const home = await makeHome()
const [root, disk, image] = [join(home, 'srv'), join(home, 'srv/disk'), join(home, 'image')]
const isMounted = mountImage(disk, image, 'ext4', 16 * 2 ** 20)
afterAll(async () => {
  unmount(disk)
  await rm(home, { recursive: true, force: true })
})

const NAMES = ['a.txt', 'b.txt', 'tree']

test.runIf(isMounted).each(['goes on', 'is started again'])(
  'TRASH-13 while the disk of deleted items is unmounted and the server %s, nothing of them is forgotten',
  async how => {
    const file = `kept while it ${how}.txt`
    let server = await startServer({ home, root })
    onTestFinished(async () => void (await server.end()))
    const owner = await person(server)
    const visit: Visitor = { server, owner }
    await mkdir(join(disk, 'tree/deep'), { recursive: true })
    for (const name of ['a.txt', 'b.txt', 'tree/deep/c.txt']) await writeFile(join(disk, name), name)
    expect((await owner.put(`/disk/${file}`, 'one')).status).toBe(200)
    expect((await owner.put(`/disk/${file}`, 'two', '?override=true')).status).toBe(200)
    for (const name of NAMES) expect((await owner.remove(`/disk/${name}`)).headers.get('X-Kept')).toBeTruthy()
    const ids = async () => (await trashOf(visit)).items.map(({ id }) => id).sort()
    const before = await ids()
    const items = before.map(id => ({ id }))
    expect(unmount(disk)).toBe(true)

    expect(await ids()).toEqual(before)
    for (const path of ['/api/trash/restore', '/api/trash/purge'])
      expect(new Set(await resultsOf(visit, path, { items }))).not.toContain('done')
    if (how === 'is started again') {
      await server.end()
      server = await startServer({ home, root })
      visit.server = server
    }
    const shell = await openConsole(home)
    await shell.run('history', 'check', '--repair', '-d', server.database)
    expect(await ids()).toEqual(before)

    expect(mountAgain(disk, image)).toBe(true)
    await shell.run('history', 'check', '--repair', '-d', server.database)
    expect(await ids()).toEqual(before)
    expect(await resultsOf(visit, '/api/trash/restore', { items })).toEqual(before.map(() => 'done'))
    for (const name of ['a.txt', 'b.txt', 'tree/deep/c.txt'])
      expect(await readFile(join(disk, name), 'utf8')).toBe(name)
    const versions = json(await call(server, `/api/versions/disk/${encodeURIComponent(file)}`, { token: owner.token }))
    expect(versions.items).toHaveLength(1)
    await rm(join(disk, file))
    for (const name of NAMES) await rm(join(disk, name), { recursive: true })
  },
  600_000,
)
