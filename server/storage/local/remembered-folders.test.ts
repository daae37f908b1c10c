import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { appendFile, chmod, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { p } from '../conformance/place.ts'
import type { StorageDriver } from '../driver.ts'
import { openLocal } from '../local.ts'
import { kernelState } from './kernel/open-kernel.ts'
import { readAgain } from './remembered-folders.ts'
import { type DiskPlace, diskPlace, TEST_KEY } from './test-place.ts'

const { calls } = kernelState()
const BY_NAME = { by: 'name', asc: false } as const

/** Changes of a folder with `a.txt`, `b.txt` and the folder `c`; each begins from the same state. */
const CHANGES: Record<string, (folder: string) => Promise<unknown>> = {
  nothing: async () => {},
  'a file grows': folder => appendFile(join(folder, 'a.txt'), 'more'),
  'a file has another time': folder => utimes(join(folder, 'a.txt'), 5, 5),
  'a file has other permissions': folder => chmod(join(folder, 'a.txt'), 0o600),
  'a file is added': folder => writeFile(join(folder, 'd.txt'), ''),
  'a file is removed': folder => rm(join(folder, 'a.txt')),
  'a file is renamed': folder => rename(join(folder, 'a.txt'), join(folder, 'z.txt')),
  'a file is replaced': async folder => {
    await writeFile(`${folder} new`, 'the new one')
    await rename(`${folder} new`, join(folder, 'a.txt'))
  },
  'a file becomes a folder': async folder => {
    await rm(join(folder, 'a.txt'))
    await mkdir(join(folder, 'a.txt'))
  },
  'a file becomes a link out': async folder => {
    await rm(join(folder, 'a.txt'))
    await symlink('/etc/passwd', join(folder, 'a.txt'))
  },
  'a folder gets a child': folder => writeFile(join(folder, 'c', 'child'), ''),
  'the folder is replaced': async folder => {
    await rename(folder, `${folder} old`)
    await mkdir(folder)
    await writeFile(join(folder, 'a.txt'), 'another')
  },
}

let place: DiskPlace
const folderOf = (name: string) => join(place.folder, 'inside', name)

beforeAll(async () => {
  place = await diskPlace('handles')
  for (const name of Object.keys(CHANGES)) {
    await mkdir(join(folderOf(name), 'c'), { recursive: true })
    for (const file of ['a.txt', 'b.txt']) await writeFile(join(folderOf(name), file), file)
  }
  // A folder that has changed just now is not remembered.
  await pause(2100)
})
afterAll(() => place.close())

async function listed(store: StorageDriver, name: string) {
  const found = await store.sorted?.(p(`/${name}`), BY_NAME, false)
  const entries = (await Array.fromAsync(found?.entries ?? [])).flat()
  await found?.close()
  return entries.map(({ name, kind, isLink, size, modified, mode, version, identity }) => {
    return { name, kind, isLink, size, modified, mode, version, identity }
  })
}

function isRemembered(name: string): boolean {
  const descriptor = openSync(folderOf(name), constants.O_RDONLY | constants.O_DIRECTORY)
  const stat = fstatSync(descriptor, { bigint: true })
  const again = calls && readAgain(calls, descriptor, stat, { sorting: BY_NAME, each: false })
  closeSync(descriptor)
  return again !== undefined
}

describe.runIf(calls)('a folder that was listed a moment ago', () => {
  test.each(Object.keys(CHANGES))('is listed as it is now: %s', async name => {
    const before = await listed(place.store, name)
    expect(before.map(entry => entry.name)).toEqual(['c', 'a.txt', 'b.txt'])
    expect(isRemembered(name)).toBe(true)
    expect(await listed(place.store, name)).toEqual(before)
    await CHANGES[name]?.(folderOf(name))
    const root = join(place.folder, 'inside')
    const other = await openLocal({ root, stagingKey: TEST_KEY, confinement: 'handles', kernel: 'off' })
    expect(await listed(place.store, name)).toEqual(await listed(other, name))
  })

  test('is read by a thread where it has links, many entries, or has changed just now', async () => {
    await mkdir(folderOf('links'))
    await symlink('nowhere', join(folderOf('links'), 'link'))
    await mkdir(folderOf('many'))
    for (let at = 0; at < 200; at++) await writeFile(join(folderOf('many'), String(at)), '')
    await mkdir(folderOf('now'))
    await listed(place.store, 'now')
    expect(isRemembered('now')).toBe(false)
    await pause(2100)
    for (const name of ['links', 'many']) {
      await listed(place.store, name)
      expect(isRemembered(name), name).toBe(false)
    }
  })
})
