import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { CachedFile, CacheStore } from '../driver.ts'

/** A cache store under test. */
export interface CachePlace {
  files: CacheStore
  /** The same store, as another process opens it. */
  again(): Promise<CacheStore>
  /** Creates a foreign file in it. */
  plant(path: string): Promise<void>
  /** Whether the foreign file still exists. */
  has(path: string): Promise<boolean>
  close(): Promise<void>
}

const newName = () => randomBytes(32).toString('hex')

async function listed(files: CacheStore): Promise<CachedFile[]> {
  return (await Array.fromAsync(files.list())).flat().sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** The duties of every cache store, as tests. @param makePlace an empty store for each test */
export function cacheConformance(name: string, makePlace: () => Promise<CachePlace>): void {
  describe(name, () => {
    let place: CachePlace
    beforeEach(async () => {
      place = await makePlace()
    })
    afterEach(() => place.close())

    test('a file written by one process is read by another, with its time', async () => {
      const { files, again } = place
      const [key, content, before] = [newName(), randomBytes(300_000), Date.now()]
      expect(await files.read(key)).toBeUndefined()
      await files.write(key, content)
      const found = await (await again()).read(key)
      expect(found?.bytes.equals(content)).toBe(true)
      // Some stores report whole seconds, by their own clock.
      expect(Math.abs((found?.written ?? 0) - before)).toBeLessThan(60_000)
      await files.write(key, Buffer.alloc(0))
      expect((await files.read(key))?.bytes.length).toBe(0)
    })

    test('lists its files with size and time, and no foreign ones', async () => {
      const { files, plant } = place
      for (const path of ['mine.txt', 'ab/mine.txt', `${'a'.repeat(31)}`]) await plant(path)
      const names = Array.from({ length: 9 }, newName).sort()
      for (const [index, key] of names.entries()) await files.write(key, Buffer.alloc(index))
      const all = await listed(files)
      expect(all.map(({ name: key, size }) => [key, size])).toEqual(names.map((key, index) => [key, index]))
      for (const { name: key, written } of all) {
        expect(Math.abs(written - ((await files.read(key))?.written ?? 0))).toBeLessThan(1000)
      }
    })

    test('removes the named files, missing or not, and no others', async () => {
      const { files, plant, has } = place
      await plant('mine.txt')
      const [one = '', two = '', three = ''] = Array.from({ length: 3 }, newName)
      for (const key of [one, two, three]) await files.write(key, Buffer.from(key))
      await files.remove([one, newName(), two])
      await files.remove([one])
      await files.remove([])
      expect((await listed(files)).map(({ name: key }) => key)).toEqual([three])
      expect(await has('mine.txt')).toBe(true)
    })
  })
}
