import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FilePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { findNames } from '../../files/find.ts'
import { type Policy, policyFor } from '../../files/policy.ts'
import { walk } from '../../files/walk.ts'
import { ACTOR, dice, live, NAMES, POLICIES, rule } from '../../search-index/test-same.ts'
import { p } from '../conformance/place.ts'
import type { StorageDriver } from '../driver.ts'
import { nativePath } from './native-path.ts'
import { stagingName } from './temp-names.ts'
import { type DiskPlace, diskPlace, TEST_KEY } from './test-place.ts'

describe.each(['handles', 'names'] as const)('a search of names on disk, held by %s', level => {
  let place: DiskPlace
  beforeEach(async () => {
    place = await diskPlace(level)
  })
  afterEach(() => place.close())

  const inside = (...names: string[]) => nativePath([place.folder, 'inside', ...names].join('/'))

  async function plantRandomly(count: number): Promise<void> {
    const roll = dice(20_261_123)
    const any = () => NAMES[roll(NAMES.length)] ?? 'a'
    const path = () => inside(...Array.from({ length: 1 + roll(4) }, any))
    for (let done = 0; done < count; done++) {
      const operations = [
        () => mkdir(path(), { recursive: true }),
        () => mkdir(path(), { recursive: true }),
        () => writeFile(path(), 'x'),
        () => symlink(nativePath(any()), path()),
        () => symlink(join(place.folder, 'outside'), path()),
        () => rename(path(), path()),
      ]
      // Many operations cannot succeed.
      await operations[roll(operations.length)]?.().catch(() => {})
    }
  }

  async function bothWays(policy: Policy, at: FilePath, words: readonly string[] = []) {
    const store = await place.store.within(ROOT, policy.sees)
    const line = ({ path, kind, isLink, canonical }: Awaited<ReturnType<StorageDriver['stat']>> & object) =>
      `${path} ${kind} ${isLink} ${canonical}`
    const top = await store.stat(at)
    if (!top) throw new Error('no folder')
    const fits = (name: string) => words.length === 0 || words.some(word => name.toLowerCase().includes(word))
    const found: string[] = []
    for await (const entry of findNames({ store, policy }, top, words, live))
      if (fits(entry.name)) found.push(line(entry as never))
    const walked: string[] = []
    for await (const { entry } of walk(store, policy, at)) if (entry && fits(entry.name)) walked.push(line(entry))
    return { found, walked }
  }

  test('equals a walk and its order, with links, odd names and hidden files', async () => {
    await plantRandomly(600)
    for (const policy of POLICIES) {
      for (const words of [[], ['a'], ['é', 'tar'], ['straße'], ['nothing'], ['\udcff']]) {
        const { found, walked } = await bothWays(policy, ROOT, words)
        expect(found).toEqual(walked)
      }
    }
    const { found } = await bothWays(POLICIES[0] as Policy, ROOT)
    expect(found.length).toBeGreaterThan(50)
  })

  test('follows a link to the requested folder', async () => {
    await place.plantFile('inside/real/below/x.txt', '')
    await place.plantLink('inside/alias', 'real')
    const { found, walked } = await bothWays(policyFor(ACTOR, []), p('/alias'))
    expect(found).toEqual(walked)
    expect(found).toHaveLength(2)
  })

  test('skips staging files and link targets that a rule hides', async () => {
    await place.plantFile(`inside/${stagingName(TEST_KEY)}`, '')
    await place.plantFile('inside/hidden/x.txt', '')
    await place.plantLink('inside/x-link', 'hidden/x.txt')
    await place.plantFile('inside/x', '')
    const policy = policyFor({ ...ACTOR, rules: [rule('/hidden', false)] }, [])
    const { found } = await bothWays(policy, ROOT)
    expect(found).toEqual(['/x file false /x'])
  })

  test('fails when the folder is missing', async () => {
    await place.plantFile('inside/gone/x', '')
    const top = await place.store.stat(p('/gone'))
    await rm(inside('gone'), { recursive: true })
    const found: string[] = []
    if (top)
      for await (const entry of findNames({ store: place.store, policy: policyFor(ACTOR, []) }, top, [], live))
        found.push(entry.path)
    expect(found).toEqual([])
  })

  test('ends with the signal', async () => {
    for (let number = 0; number < 50; number++) await place.plantFile(`inside/${number}/x`, '')
    const end = new AbortController()
    const top = await place.store.stat(ROOT)
    if (!top) throw new Error('no folder')
    const names = findNames({ store: place.store, policy: policyFor(ACTOR, []) }, top, ['x'], end.signal)
    await names.next()
    end.abort()
    await expect(names.next()).rejects.toThrow()
  })

  test('reports unreadable folders to a user with hidden files', async () => {
    await place.plantFile('inside/a/x', '')
    const policy = policyFor({ ...ACTOR, rules: [rule('/hidden', false)] }, [])
    const top = await place.store.stat(p('/a'))
    if (!top) throw new Error('no folder')
    const hung: StorageDriver = {
      ...place.store,
      scan: {
        async *names() {
          yield { met: 0, entries: [] }
          throw new AppError('unavailable')
        },
        hasSizes: false,
      },
    }
    const kinds: string[] = []
    for await (const { kind, path } of findNames({ store: hung, policy }, top, ['x'], live))
      kinds.push(`${path} ${kind}`)
    expect(kinds).toEqual(['/a unread'])
  })
})
