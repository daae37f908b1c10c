import { spawn } from 'node:child_process'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listed, openBody, p, put, refusal, textAt } from '../conformance/place.ts'
import { writeFile } from '../write-file.ts'
import { type DiskPlace, diskPlace } from './test-place.ts'

let place: DiskPlace
beforeEach(async () => {
  place = await diskPlace('handles')
})
afterEach(() => place.close())

test('NAME-07 a tree whose paths are longer than the system allows is removed', async () => {
  const half = `${'d'.repeat(200)}/`.repeat(15)
  for (const top of ['tree', 'more']) await mkdir(join(place.folder, 'inside', top, half), { recursive: true })
  await rename(join(place.folder, 'inside/more'), join(place.folder, 'inside/tree', half, 'more'))
  await place.store.remove(p('/tree'))
  expect(await place.names('inside')).toEqual([])
})

test('a path that is too long together with the root is refused with name_too_long', async () => {
  const path = `/${`${'d'.repeat(250)}/`.repeat(16)}${'n'.repeat(70)}`
  expect(await refusal(put(place.store, path, 'x'))).toBe('name_too_long')
  expect(await place.names('inside')).toEqual([])
})

/**
 * A small file system in a mount namespace that ends with the process. Without the right to mount, the file size is
 * limited instead: the kernel refuses the write all the same.
 */
const ON_SMALL_DISK = `mount -t tmpfs -o size=8m filigree "$1" 2>/dev/null || ulimit -f 16384
  exec "$2" "$3" "$1"`

test('a full disk is reported as no_space, the old content stays and nothing is left behind', async () => {
  const script = fileURLToPath(new URL('./test-full-disk.ts', import.meta.url))
  const command = ['sh', '-c', ON_SMALL_DISK, 'sh', join(place.folder, 'inside'), process.execPath, script]
  const space = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount']
  const child = spawn('unshare', [...space, ...command], { stdio: ['ignore', 'pipe', 'inherit'] })
  expect(JSON.parse(await text(child.stdout))).toEqual({
    before: 'done',
    tooMuch: 'no_space',
    overwriting: 'no_space',
    names: ['a.txt'],
    content: 'old',
    after: 'done',
  })
})

test('every descriptor is closed, however an operation ends', async () => {
  await place.plantLink('inside/out', '../outside')
  for (let index = 0; index < 3000; index++) await place.plantFile(`inside/many/${index}`, '')
  await mixedWork(0)
  const before = await openDescriptors()
  for (let round = 1; round <= 20; round++) await mixedWork(round)
  expect(await openDescriptors()).toBeLessThanOrEqual(before)
})

async function mixedWork(round: number): Promise<void> {
  const { store } = place
  await put(store, `/docs/${round}/a.txt`, 'a')
  await textAt(store, `/docs/${round}/a.txt`)
  const unread = await store.read(p(`/docs/${round}/a.txt`))
  unread.stream().destroy()
  await unread.close()
  for await (const _ of store.list(p('/many'))) break
  await listed(store, `/docs/${round}`)
  const sending = openBody()
  const aborting = new AbortController()
  const aborted = refusal(writeFile(store, p(`/new/${round}/b.txt`), sending, { signal: aborting.signal }))
  sending.push('half')
  setTimeout(() => aborting.abort(), 5)
  expect(await aborted).toBe('incomplete_body')
  expect(await refusal(put(store, `/docs/${round}/a.txt`, 'b', { ifAbsent: true }))).toBe('exists')
  expect(await refusal(put(store, '/out/a.txt', 'b'))).toBe('outside_scope')
  expect(await refusal(store.read(p(`/docs/${round}`)))).toBe('is_a_folder')
  expect(await refusal(store.mkdir(p(`/docs/${round}/a.txt`)))).toBe('exists')
  await store.move?.(p(`/docs/${round}`), p(`/moved${round}`))
  await store.disk?.usage(p('/many'))
  await store.within(p(`/moved${round}`))
  await store.remove(p(`/moved${round}`))
}

async function openDescriptors(): Promise<number> {
  return (await readdir('/proc/self/fd')).length
}
