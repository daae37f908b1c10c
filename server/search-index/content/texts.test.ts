import { mkdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { ROOT } from '../../../shared/path.ts'
import { findTexts } from '../../files/find.ts'
import { policyFor } from '../../files/policy.ts'
import type { DiskPlace } from '../../storage/local/test-place.ts'
import type { IndexEvent, IndexSettings } from '../search-index.ts'
import { type Indexed, indexed, place } from '../test-folder-index.ts'
import { ACTOR } from '../test-same.ts'
import { MOST_BYTES } from './text-file.ts'

type Completed = Extract<IndexEvent, { event: 'contents complete' }>

const completed = ({ events }: Indexed) => events.find((each): each is Completed => each.event === 'contents complete')

/** A store whose index has read every text. */
async function read(here: DiskPlace, more: Partial<IndexSettings> = {}): Promise<Indexed> {
  const index = await indexed(here, { texts: 'always', ...more })
  await vi.waitUntil(() => completed(index), { timeout: 60_000 })
  return index
}

/** Files that contain all texts, as `path:line text`. */
async function found(indexed: Indexed, texts: string[], caseSensitive = false): Promise<string[]> {
  const answer = await search(indexed, texts, caseSensitive)
  const lines: string[] = []
  for await (const batch of answer.found)
    lines.push(...batch.map(({ path, match: at }) => `${path}:${at.line} ${at.text}`))
  return lines
}

async function search({ store, index }: Indexed, texts: string[], caseSensitive = false) {
  const top = await store.stat(ROOT)
  if (!top) throw new Error('no root')
  return findTexts({ store, index, policy: policyFor(ACTOR, []) }, top, { texts, caseSensitive }, () => true)
}

describe('the index of contents', () => {
  test('finds words, parts and phrases, in any case, in scripts without spaces, with their line', async () => {
    const here = await place()
    await here.plantFile('inside/a/fox.txt', 'The quick\nbrown Fox jumps')
    await here.plantFile('inside/b.md', 'Straße nach 東京タワー\r\nΣΊΣΥΦΟΣ')
    await here.plantFile('inside/README', 'no foxes')
    const index = await read(here)
    expect(await found(index, ['fox'])).toEqual(['/README:1 no foxes', '/a/fox.txt:2 brown Fox jumps'])
    expect(await found(index, ['Fox'], true)).toEqual(['/a/fox.txt:2 brown Fox jumps'])
    expect(await found(index, ['brown fox', 'QUICK'])).toEqual(['/a/fox.txt:2 brown Fox jumps'])
    expect(await found(index, ['quick fox'])).toEqual([])
    expect(await found(index, ['東京'])).toEqual(['/b.md:1 Straße nach 東京タワー'])
    expect(await found(index, ['straße', 'σίσυφος'])).toEqual(['/b.md:1 Straße nach 東京タワー'])
    expect(await found(index, ['x'])).toEqual(['/README:1 no foxes', '/a/fox.txt:2 brown Fox jumps'])
    expect(await found(index, ['"', 'a\0'])).toEqual([])
  })

  test('reads every encoding that the editor supports, and no binary files', async () => {
    const here = await place()
    const [at, text] = [(name: string) => join(here.folder, 'inside', name), 'wörtlich']
    await writeFile(at('utf-8.txt'), `\ufeff${text}`)
    await writeFile(at('utf-16.txt'), Buffer.from(`\ufeff${text}`, 'utf16le'))
    await writeFile(at('latin.txt'), Buffer.from(text, 'latin1'))
    await writeFile(at('binary.txt'), `${text}\0`)
    await writeFile(at('unknown.bin'), `${text}\u0001`)
    await writeFile(at('picture.jpg'), text)
    await writeFile(at('large.txt'), text.padEnd(MOST_BYTES, '.'))
    await writeFile(at('most.txt'), `${'.'.repeat(MOST_BYTES - 9)}${text}`)
    await symlink('latin.txt', at('link.txt'))
    const index = await read(here)
    const files = (await found(index, [text])).map(line => line.slice(1, line.indexOf(':')))
    expect(files).toEqual(['latin.txt', 'most.txt', 'utf-16.txt', 'utf-8.txt'])
  })

  test('finds a text across the chunks in which a long file is indexed', async () => {
    const here = await place()
    const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`)
    await here.plantFile('inside/long.log', lines.join('\n'))
    const index = await read(here)
    for (const line of [3000, 7000, 19_999]) {
      const text = lines.slice(line - 1, line + 1).join('\n')
      expect(await found(index, [text])).toEqual([`/long.log:${line} line ${line - 1}`])
    }
  })

  test('picks up at once what other programs write, move and remove, also with unchanged size and time', async () => {
    const here = await place()
    const file = join(here.folder, 'inside/note.txt')
    await here.plantFile('inside/note.txt', 'first')
    await here.plantFile('inside/sub/more.txt', 'first')
    const index = await read(here)
    const { atime, mtime } = await stat(file)
    await writeFile(file, 'other')
    await utimes(file, atime, mtime)
    expect(await found(index, ['first'])).toEqual(['/sub/more.txt:1 first'])
    await expect.poll(() => found(index, ['other'])).toHaveLength(1)
    await rename(join(here.folder, 'inside/sub'), join(here.folder, 'inside/moved'))
    await expect.poll(() => found(index, ['first'])).toEqual(['/moved/more.txt:1 first'])
    await rm(join(here.folder, 'inside/moved'), { recursive: true })
    await expect.poll(() => found(index, ['first'])).toEqual([])
  })

  test('picks up changes made before a start, and changes without notifications', async () => {
    const here = await place()
    await here.plantFile('inside/a.txt', 'before')
    const first = await read(here)
    await first.index.close()
    await here.plantFile('inside/a.txt', 'after')
    const index = await read(here, { watches: false, scanEvery: 1 })
    expect(await found(index, ['after'])).toEqual(['/a.txt:1 after'])
    await here.plantFile('inside/a.txt', 'later')
    await expect.poll(() => found(index, ['later'])).toHaveLength(1)
  })

  test('starts with the first search, continues after a restart, and is deleted when switched off', async () => {
    const here = await place()
    await here.plantFile('inside/a.txt', 'needle')
    const index = await indexed(here, { texts: 'auto' })
    expect(completed(index)).toBeUndefined()
    const answer = await search(index, ['needle'])
    expect(answer.state).toBe('building')
    await expect.poll(() => completed(index)).toBeTruthy()
    await index.index.close()
    const again = await indexed(here, { texts: 'auto' })
    await expect.poll(() => completed(again)).toBeTruthy()
    await again.index.close()
    const off = await indexed(here)
    expect(off.index.findTexts).toBeUndefined()
    expect(off.events).toContainEqual(expect.objectContaining({ event: 'thrown away' }))
  })

  test('stops at its size limit, and reports it', async () => {
    const here = await place()
    await mkdir(join(here.folder, 'inside/sub'))
    for (const name of ['a', 'b', 'sub/c']) await here.plantFile(`inside/${name}.txt`, 'needle'.padEnd(100))
    const index = await read(here, { textsLimit: 250 })
    expect(completed(index)).toMatchObject({ files: 2, bytes: 200, isLimited: true })
    expect(await found(index, ['needle'])).toHaveLength(2)
    const answer = await search(index, ['x'])
    expect(answer.state).toBe('limited')
  })
})
