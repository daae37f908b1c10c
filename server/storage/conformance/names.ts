import { expect, test } from 'vitest'
import {
  add,
  begin,
  HOSTILE_NAMES,
  listed,
  namesIn,
  p,
  publish,
  put,
  refusal,
  type TestPlace,
  textAt,
} from './place.ts'

/**
 * A file name in Latin-1, a folder name in Shift JIS, and one byte that begins a multibyte character and does not end
 * it.
 */
const FILE = 'caf\udce9.txt'
const FOLDER = '\udc93\udcfa\udc96{'
const TORN = '\udcc3'

/** Names are bytes: each is distinct, whatever it looks like. */
export function nameSuite(place: () => TestPlace): void {
  test.each(HOSTILE_NAMES.map(name => [name]))('the name %j is ordinary', async name => {
    const { store } = place()
    const path = `/odd/${name}`
    const entry = await put(store, path, 'mine')
    expect(entry.name).toBe(name)
    expect(await place().names('inside/odd')).toEqual([name])
    expect(await namesIn(store, '/odd')).toEqual([name])
    expect((await store.stat(p(path)))?.canonical).toBe(path)
    expect(await textAt(store, path)).toBe('mine')
    await store.remove(p(path))
    expect(await namesIn(store, '/odd')).toEqual([])
    await store.mkdir(p(path))
    expect((await store.stat(p(path)))?.kind).toBe('folder')
  })

  test('twins in composed and decomposed Unicode are two files', async () => {
    const { store } = place()
    await put(store, '/\u00e9', 'composed')
    await put(store, '/e\u0301', 'decomposed')
    expect(await textAt(store, '/\u00e9')).toBe('composed')
    expect(await textAt(store, '/e\u0301')).toBe('decomposed')
  })

  test('names that are not UTF-8 and look alike are different files', async () => {
    const { store } = place()
    const twins = ['\udce9', '\udcea', TORN, '\uFFFD', 'é', '\\xE9', '%E9']
    for (const name of twins) await place().plantFile(`inside/${name}`, `${twins.indexOf(name)}`)
    expect(new Set(await namesIn(store))).toEqual(new Set(twins))
    for (const name of twins) expect(await textAt(store, `/${name}`)).toBe(`${twins.indexOf(name)}`)
    await store.remove(p('/\udce9'))
    expect(new Set(await namesIn(store))).toEqual(new Set(twins.slice(1)))
  })

  test('NAME-02 a tree with names that are not UTF-8 is listed, entered and removed', async () => {
    const { store } = place()
    await place().plantFile(`inside/${FOLDER}/${TORN}/${FILE}`, 'deep')
    expect(await listed(store, `/${FOLDER}`)).toMatchObject([{ name: TORN, path: `/${FOLDER}/${TORN}` }])
    expect(await textAt(store, `/${FOLDER}/${TORN}/${FILE}`)).toBe('deep')
    await store.remove(p(`/${FOLDER}`))
    expect(await place().names('inside')).toEqual([])
  })

  test('names that are not UTF-8 are sources and targets of moves', async () => {
    const { store } = place()
    await place().plantFile(`inside/${FOLDER}/${TORN}/${FILE}`, 'deep')
    if (!store.move) return
    await store.move(p(`/${FOLDER}`), p('/moved\udcff'))
    expect(await place().content(`inside/moved\udcff/${TORN}/${FILE}`)).toBe('deep')
    await store.move(p(`/moved\udcff/${TORN}/${FILE}`), p(`/${FILE}`))
    await store.remove(p('/moved\udcff'))
    expect(await place().names('inside')).toEqual([FILE])
  })

  test('a file in a folder that is not UTF-8 is written, replaced and kept apart', async () => {
    const { store } = place()
    await put(store, `/${FOLDER}/${FILE}`, 'one')
    const { version } = await put(store, `/${FOLDER}/${FILE}`, 'two')
    expect(await refusal(put(store, `/${FOLDER}/${FILE}`, 'three', { ifAbsent: true }))).toBe('exists')
    await put(store, `/${FOLDER}/${FILE}`, 'three', { ifMatch: version })
    expect(await place().names('inside')).toEqual([FOLDER])
    expect(await place().content(`inside/${FOLDER}/${FILE}`)).toBe('three')
  })

  test('a staged upload is published under a name that is not UTF-8', async () => {
    const { store } = place()
    await store.mkdir(p(`/${FOLDER}`))
    const path = p(`/${FOLDER}/${FILE}`)
    const staged = await begin(store, path)
    await add(store, staged, 0, 'pieces')
    await publish(store, staged, path, { length: 6, ifAbsent: true })
    expect(await place().names(`inside/${FOLDER}`)).toEqual([FILE])
    expect(await textAt(store, path)).toBe('pieces')
  })

  test('a folder that is not UTF-8 may be a root, and its guard sees names as they are', async () => {
    const { store } = place()
    await place().plantFile(`inside/${FOLDER}/${FILE}`, 'seen')
    await place().plantFile(`inside/${FOLDER}/${TORN}`, 'hidden')
    const inner = await store.within(p(`/${FOLDER}`), path => path !== `/${TORN}`)
    expect(await namesIn(inner)).toEqual([FILE])
    expect(await textAt(inner, `/${FILE}`)).toBe('seen')
    expect(await refusal(inner.read(p(`/${TORN}`)))).toBe('forbidden')
    await put(inner, `/new/${FILE}`, 'new')
    expect(await place().content(`inside/${FOLDER}/new/${FILE}`)).toBe('new')
  })
}

/** Names and targets of links that are not UTF-8. */
export function linkNameSuite(place: () => TestPlace): void {
  test('links with and to names that are not UTF-8 are followed, and removed alone', async () => {
    const { store } = place()
    await place().plantFile(`inside/${FOLDER}/${FILE}`, 'target')
    await place().plantFile(`outside/${FILE}`, 'outside')
    await place().plantLink('inside/in\udcff', `${FOLDER}/${FILE}`)
    await place().plantLink('inside/out\udcff', `../outside/${FILE}`)
    const found = new Map((await listed(store)).map(entry => [entry.name, entry]))
    expect(found.get('in\udcff')).toMatchObject({ kind: 'file', isLink: true, canonical: `/${FOLDER}/${FILE}` })
    expect(found.get('out\udcff')).toMatchObject({ isLink: true, canonical: '/out\udcff' })
    expect(await textAt(store, '/in\udcff')).toBe('target')
    await store.remove(p('/out\udcff'))
    await store.remove(p('/in\udcff'))
    expect(await namesIn(store)).toEqual([FOLDER])
    expect(await place().content(`outside/${FILE}`)).toBe('outside')
  })
}
