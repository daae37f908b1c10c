import { appendFile, chmod, link, readdir, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listed, MARKER, namesIn, p, put, refusal, textAt } from '../conformance/place.ts'
import { openLocal } from '../local.ts'
import { renameOntoPlaceholder } from './rename.ts'
import { stagingName } from './temp-names.ts'
import { type DiskPlace, diskPlace, TEST_KEY } from './test-place.ts'

let place: DiskPlace
const on = (path: string) => join(place.folder, path)
const modeOf = async (path: string) => (await stat(on(path))).mode & 0o7777

describe.each(['handles', 'names'] as const)('a real disk, held by %s', level => {
  beforeEach(async () => {
    place = await diskPlace(level)
  })
  afterEach(() => place.close())

  test('a root that is missing or a file is refused', async () => {
    const options = { stagingKey: TEST_KEY, confinement: level }
    await writeFile(on('file'), '')
    expect(await refusal(openLocal({ ...options, root: on('none') }))).toBe('not_found')
    expect(await refusal(openLocal({ ...options, root: on('file') }))).toBe('not_a_folder')
  })

  test('a root may be reached by a link', async () => {
    await place.plantLink('alias', 'inside')
    const store = await openLocal({ root: on('alias'), stagingKey: TEST_KEY, confinement: level })
    await put(store, '/a.txt', 'a')
    expect(await place.names('inside')).toEqual(['a.txt'])
  })

  test('the root of the whole system works as a root', async () => {
    const store = await openLocal({ root: '/', stagingKey: TEST_KEY, confinement: level })
    await put(store, on('inside/a.txt'), 'a')
    expect(await textAt(store, on('inside/a.txt'))).toBe('a')
    expect(await namesIn(store, on('inside'))).toEqual(['a.txt'])
  })

  test('a root that is moved away and back is not found in between', async () => {
    await put(place.store, '/a.txt', 'a')
    await rename(on('inside'), on('elsewhere'))
    expect(await refusal(place.store.read(p('/a.txt')))).toBe('not_found')
    expect(await refusal(put(place.store, '/b.txt', 'b'))).toBe('not_found')
    await rename(on('elsewhere'), on('inside'))
    expect(await textAt(place.store, '/a.txt')).toBe('a')
    expect(await place.names('.')).toEqual(['inside', 'outside'])
  })

  test('a root that is replaced by a link out gives no access', async () => {
    await writeFile(on('outside/marker.txt'), MARKER)
    await rename(on('inside'), on('elsewhere'))
    await place.plantLink('inside', 'outside')
    expect(await refusal(place.store.read(p('/marker.txt')))).toBe('outside_scope')
    expect(await refusal(put(place.store, '/marker.txt', 'x'))).toBe('outside_scope')
  })

  test('new files and folders get the configured modes, temporary files are private', async () => {
    const staged = await place.store.resumable?.stage(p('/docs/a.txt'))
    const [temporary] = await place.names('inside')
    expect(await modeOf(`inside/${temporary}`)).toBe(0o600)
    await staged?.publish(p('/docs/a.txt'), {})
    await staged?.close()
    expect(await modeOf('inside/docs/a.txt')).toBe(0o640)
    expect(await modeOf('inside/docs')).toBe(0o750)
  })

  test('CRASH-13 an overwritten file keeps its mode, except the set-user-ID and set-group-ID bits', async () => {
    await put(place.store, '/a.sh', 'one')
    await chmod(on('inside/a.sh'), 0o4754)
    expect((await put(place.store, '/a.sh', 'two')).mode).toBe(0o754)
    expect(await modeOf('inside/a.sh')).toBe(0o754)
  })

  test('LINK-08 overwriting a file with a hard link outside leaves the outside unchanged', async () => {
    await writeFile(on('outside/marker.txt'), MARKER)
    await link(on('outside/marker.txt'), on('inside/hard'))
    await put(place.store, '/hard', 'mine')
    expect(await place.content('outside/marker.txt')).toBe(MARKER)
  })

  test('LOCK-04 a change made by another program changes the version', async () => {
    const { version } = await put(place.store, '/a.txt', 'one')
    await writeFile(on('inside/a.txt'), 'two')
    const changed = await place.store.stat(p('/a.txt'))
    expect(changed?.version).not.toBe(version)
    expect(await listed(place.store)).toEqual([changed])
    expect(await refusal(put(place.store, '/a.txt', 'three', { ifMatch: version }))).toBe('precondition_failed')
  })

  test('a file that becomes shorter while it is read ends in an error', async () => {
    await put(place.store, '/a.bin', Buffer.alloc(3_000_000))
    const file = await place.store.read(p('/a.bin'))
    await truncate(on('inside/a.bin'), 1000)
    expect(await refusal(buffer(file.stream()))).toBe('unavailable')
    await file.close()
  })

  test('RACE-02 bytes appended to a file while it is read are not sent', async () => {
    await put(place.store, '/a.log', 'before')
    const file = await place.store.read(p('/a.log'))
    await appendFile(on('inside/a.log'), ' after')
    expect((await buffer(file.stream())).toString()).toBe('before')
    await file.close()
  })

  test('a name that is not UTF-8 and one with the escape for such names are different files', async () => {
    await place.plantFile('inside/b\udcff', 'bytes')
    await place.plantFile('inside/b\uFFFD', 'sign')
    expect(await namesIn(place.store)).toEqual(['b\udcff', 'b\uFFFD'])
    expect(await textAt(place.store, '/b\udcff')).toBe('bytes')
    await place.store.remove(p('/b\uFFFD'))
    expect(await readdir(on('inside'), 'buffer')).toEqual([Buffer.from([0x62, 0xff])])
  })

  test('a root whose name is not UTF-8 holds its files like any other', async () => {
    await place.plantFile('inside/caf\udce9/old.txt', 'old')
    const store = await place.store.within(p('/caf\udce9'))
    await put(store, '/deep/n\udce9w.txt', 'new')
    expect(await namesIn(store, '/deep')).toEqual(['n\udce9w.txt'])
    expect(await place.content('inside/caf\udce9/deep/n\udce9w.txt')).toBe('new')
    await store.remove(p('/old.txt'))
    expect(await place.names('inside/caf\udce9')).toEqual(['deep'])
  })

  test('a path that is not UTF-8 is not passed to programs', () => {
    expect(() => place.store.disk?.pathOf(p('/caf\udce9'))).toThrow('unsupported')
  })

  test('a leftover temporary file is invisible, unusable, and removed with its folder', async () => {
    const name = stagingName(TEST_KEY)
    const { store } = place
    await put(store, '/docs/a.txt', 'a')
    await writeFile(on(`inside/docs/${name}`), 'half')
    const path = p(`/docs/${name}`)
    expect(await namesIn(store, '/docs')).toEqual(['a.txt'])
    expect(await store.stat(path)).toBeUndefined()
    expect(await refusal(store.read(path))).toBe('not_found')
    expect(await refusal(store.remove(path))).toBe('not_found')
    expect(await refusal(put(store, path, 'x'))).toBe('bad_path')
    expect(await refusal(store.mkdir(path))).toBe('bad_path')
    expect(await place.content(`inside/docs/${name}`)).toBe('half')
    await store.remove(p('/docs'))
    expect(await place.names('inside')).toEqual([])
  })

  test('without hard links, a name is claimed before it is published', async () => {
    await writeFile(on('inside/new'), 'new')
    await writeFile(on('inside/standing'), 'standing')
    expect(await refusal(renameOntoPlaceholder(on('inside/new'), on('inside/standing')))).toBe('exists')
    expect(await refusal(renameOntoPlaceholder(on('inside/none'), on('inside/free')))).toBe('not_found')
    await renameOntoPlaceholder(on('inside/new'), on('inside/taken'))
    expect(await place.names('inside')).toEqual(['standing', 'taken'])
    expect(await place.content('inside/standing')).toBe('standing')
    expect(await place.content('inside/taken')).toBe('new')
  })

  test('usage reports the volume that holds the folder', async () => {
    const usage = await place.store.disk?.usage(p('/'))
    expect(usage?.total).toBeGreaterThan(usage?.used ?? 0)
    expect(usage?.used).toBeGreaterThan(0)
  })

  test('commands get the real path', () => {
    expect(place.store.disk?.pathOf(p('/docs/a.txt'))).toBe(on('inside/docs/a.txt'))
  })
})
