import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Dice } from '../fuzz/dice.ts'
import {
  copyFiles,
  filesOf,
  hasDavfs,
  hasGvfs,
  hashesOf,
  KilledServer,
  type Mount,
  makeTree,
  mountDavfs,
  mountGvfs,
  ODD_NAMES,
  ODDER_NAMES,
  run,
  sizesOf,
} from './mounts.ts'
import { isLeftover } from './operations.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

const SIZE = { names: ODD_NAMES, small: size('FILES', 300), mebibytes: size('MIB', 64) }
const LONG = 3_600_000

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mounts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Two trees have the same files, once what a kill left behind is swept away. */
async function expectSame(one: string, other: string): Promise<void> {
  await expect.poll(async () => (await filesOf(one)).filter(name => isLeftover(`/${name}`))).toEqual([])
  expect(await hashesOf(one)).toEqual(await hashesOf(other))
}

/**
 * Copies a tree to a mounted server that is killed again and again, changes some of its files in the same way, and reads
 * everything. Whatever a kill interrupts, a file on the server is as a client wrote it, once.
 */
async function copyThroughKills(
  program: string,
  mount: (server: KilledServer) => Promise<Mount>,
  { names, kills }: { names: readonly string[]; kills?: number },
) {
  const server = await KilledServer.start(new Dice(SEED), kills)
  const [home, far] = [await freshFolder(), join(server.root, 'tree')]
  await makeTree(home, { ...SIZE, names })
  let [before, after] = [new Map<string, number>(), await sizesOf(home)]
  const checkSizes = async () => {
    // A lock makes an empty file where none is.
    for (const [name, bytes] of await sizesOf(far))
      if (!isLeftover(`/${name}`)) expect([before.get(name) ?? 0, after.get(name)], name).toContain(bytes)
  }
  let passes = 0
  const copyAll = async (first: string[]) => {
    for (let left = first; left.length > 0; passes += 1) {
      const mounted = await mount(server)
      await server.killDuring(copyFiles(left, home, mounted), checkSizes)
      await mounted.unmount()
      const [wanted, found] = [await hashesOf(home), await hashesOf(far)]
      left = Object.keys(wanted).filter(name => wanted[name] !== found[name])
    }
    await expectSame(far, home)
  }
  await copyAll(await filesOf(home))
  const changed = [...after.keys()].filter((name, index) => index % 10 === 0 && name !== 'large.bin')
  before = after
  for (const name of changed) await writeFile(join(home, name), `changed ${name}`.repeat(300))
  after = await sizesOf(home)
  await copyAll(changed)
  const mounted = await mount(server)
  const read = await server.killDuring(hashesOf(join(mounted.folder, 'tree'), mounted.recover), checkSizes)
  expect(read).toEqual(await hashesOf(home))
  report(
    `${program}: ${after.size} files, one of ${SIZE.mebibytes} MiB, equal there and back after ${server.kills} kills in ${passes} passes`,
  )
}

test.runIf(hasDavfs)(
  'davfs2 copies a tree, edits in place, replaces, deletes, and the server has the same',
  async () => {
    const server = await KilledServer.start(new Dice(SEED))
    const home = await freshFolder()
    await makeTree(home, { names: [...ODD_NAMES, ...ODDER_NAMES], small: 100, mebibytes: 8 })
    const mounted = await mountDavfs(server)
    await run('cp', '-a', home, join(mounted.folder, 'tree'))
    await writeFile(join(mounted.folder, 'text'), 'hello\n')
    await run('sed', '-i', 's/hello/bye/', join(mounted.folder, 'text'))
    await writeFile(join(mounted.folder, 'new'), 'over')
    await rename(join(mounted.folder, 'new'), join(mounted.folder, 'over'))
    await writeFile(join(mounted.folder, 'newer'), 'over it')
    await run('mv', join(mounted.folder, 'newer'), join(mounted.folder, 'over'))
    await run('cp', '-a', home, join(mounted.folder, 'gone'))
    await run('rm', '-r', join(mounted.folder, 'gone'))
    await mounted.unmount()
    expect(await hashesOf(join(server.root, 'tree'))).toEqual(await hashesOf(home))
    expect(await readFile(join(server.root, 'text'), 'utf8')).toBe('bye\n')
    expect(await readFile(join(server.root, 'over'), 'utf8')).toBe('over it')
    expect((await readdir(server.root)).filter(name => !name.startsWith('.filigree'))).toEqual(['over', 'text', 'tree'])
    const again = await mountDavfs(server)
    expect(await hashesOf(join(again.folder, 'tree'))).toEqual(await hashesOf(home))
  },
)

test.runIf(hasDavfs)(
  'davfs2 brings a tree to a server that is killed again and again, and back',
  () => copyThroughKills('davfs2', mountDavfs, { names: [...ODD_NAMES, ...ODDER_NAMES] }),
  LONG,
)

test.runIf(hasGvfs)(
  'gvfs lists 1000 names, copies 100 MB there and back, renames a folder and deletes it',
  async () => {
    const server = await KilledServer.start(new Dice(SEED))
    const home = await freshFolder()
    await mkdir(join(server.root, 'many'))
    for (let index = 0; index < 1000; index += 1) await writeFile(join(server.root, 'many', `${index} ü%.txt`), '')
    const { address, gio } = await mountGvfs(server)
    const listed = (await gio('list', `${address}/many`)).trim().split('\n')
    expect(listed.sort()).toEqual((await readdir(join(server.root, 'many'))).sort())
    await makeTree(home, { names: [], small: 0, mebibytes: 96 })
    const [there, back] = [join(server.root, 'large.bin'), join(home, 'back.bin')]
    await gio('copy', join(home, 'large.bin'), `${address}/large.bin`)
    await utimes(there, 1_600_000_000, 1_600_000_000)
    await gio('copy', '--preserve', `${address}/large.bin`, back)
    const { 'large.bin': hash, 'back.bin': hashBack } = await hashesOf(home)
    expect([(await hashesOf(server.root))['large.bin'], hashBack]).toEqual([hash, hash])
    expect((await stat(back)).mtimeMs).toBe(1_600_000_000_000)
    await gio('rename', `${address}/many`, 'renamed')
    expect((await readdir(join(server.root, 'renamed'))).length).toBe(1000)
    await gio('mkdir', `${address}/folder`)
    await gio('remove', `${address}/folder`, `${address}/large.bin`)
    expect((await readdir(server.root)).filter(name => !name.startsWith('.filigree'))).toEqual(['renamed'])
  },
)

test.runIf(hasGvfs)(
  // Its own process crashes when a server vanishes during a request, so no server is killed.
  'gvfs brings a tree to a server, and back',
  () => copyThroughKills('gvfs', mountGvfs, { names: ODD_NAMES, kills: 0 }),
  LONG,
)

test(
  'rclone syncs a tree both ways with a server that is killed again and again, and then has nothing left to do',
  async () => {
    const server = await KilledServer.start(new Dice(SEED))
    const [home, back, settings] = [await freshFolder(), await freshFolder(), join(await freshFolder(), 'rclone.conf')]
    const far = join(server.root, 'tree')
    await makeTree(home, SIZE)
    const rclone = (...args: string[]) => run('rclone', ...args, '--config', settings, '--retries', '100')
    const how = [`url=${server.url}/dav/`, 'vendor=owncloud', 'user=admin', `pass=${server.password}`, '--obscure']
    await rclone('config', 'create', 'files', 'webdav', ...how)
    const sizes = await sizesOf(home)
    const checkSizes = async () => {
      for (const [name, bytes] of await sizesOf(far))
        if (!isLeftover(`/${name}`)) expect(bytes, name).toBe(sizes.get(name))
    }
    await server.killDuring(rclone('sync', home, 'files:tree'), checkSizes)
    await expectSame(far, home)
    await rclone('check', '--download', home, 'files:tree')
    await server.killDuring(rclone('sync', 'files:tree', back), checkSizes)
    expect(await hashesOf(back)).toEqual(await hashesOf(home))
    for (const name of sizes.keys())
      expect(Math.floor((await stat(join(back, name))).mtimeMs / 1000)).toBe(
        Math.floor((await stat(join(home, name))).mtimeMs / 1000),
      )
    // With --immutable, changing anything is an error.
    await rclone('sync', '--immutable', home, 'files:tree')
    await rclone('sync', '--immutable', 'files:tree', back)
    await writeFile(join(home, 'new'), 'new')
    await copyFile(join(home, 'new'), join(home, 'newer'))
    await run('rclone', 'bisync', home, 'files:tree', '--resync', '--config', settings)
    await writeFile(join(far, 'from there'), 'there')
    await writeFile(join(home, 'from here'), 'here')
    await rm(join(home, 'newer'))
    await run('rclone', 'bisync', home, 'files:tree', '--config', settings)
    expect(await hashesOf(far)).toEqual(await hashesOf(home))
    expect((await readdir(far)).sort()).toEqual(['from here', 'from there', 'large.bin', 'new', 'odd', 'small'])
    report(`rclone: ${sizes.size} files, one of ${SIZE.mebibytes} MiB, equal both ways after ${server.kills} kills`)
  },
  LONG,
)
