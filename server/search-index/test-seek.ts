import { afterAll, beforeAll, expect, test } from 'vitest'
import { FACTS, type Item, type Known } from '../storage/found-names.ts'
import { type IndexStore, TOP } from './index-store.ts'
import { dice } from './test-same.ts'

const FOLDERS = 60
const IN_FOLDER = 1500
/** One folder per title, and two nested ones around another. */
export const SEARCH_FOLDERS = FOLDERS + 3

const file = (name: string): Item => ({ name, fact: 1, disk: 1 })
const folder = (name: string): Item => ({ name, fact: FACTS.folder, disk: 0 })
const sorted = (items: Item[]) => items.sort((a, b) => (a.name < b.name ? -1 : 1))

/** Tests of searches in an index, for any store. @param open creates an empty index for all the tests */
export function seekSuite(open: () => Promise<IndexStore>): void {
  let store: IndexStore
  let inner: number
  const all: string[] = []

  /** Many folders, some of them nested, with words that are frequent, rare, early, late, and in folder store. */
  beforeAll(async () => {
    store = await open()
    await store.begin()
    const titles = Array.from({ length: FOLDERS }, (_, at) => `Part ${String(at).padStart(2, '0')}`)
    await store.setItems(TOP, sorted([folder('deep'), ...titles.map(folder)]), 'x')
    inner = await store.addFolder(TOP, 'deep')
    await store.setItems(inner, [folder('Part within')], 'x')
    const places = [
      ...titles.map(title => [TOP, title, title] as const),
      [inner, 'Part within', 'deep/Part within'] as const,
    ]
    for (const [index, [parent, title, path]] of places.entries()) {
      const made = Array.from({ length: IN_FOLDER }, (_, number) => {
        const words = [
          'common',
          number % 100 === index ? 'Seldom' : '',
          index < 5 ? 'first' : '',
          index > 55 ? 'last' : '',
        ]
        return file(`${words.join(' ')} ${index}x${number}.txt`)
      })
      await store.setItems(await store.addFolder(parent, title), sorted(made), 'x')
      all.push(...made.map(item => `${path}/${item.name}`), path)
    }
    await store.commit()
    all.push('deep')
  })
  afterAll(() => store.close())

  const found = async (below: number, ...words: string[]) =>
    (await Array.fromAsync(store.seek(below, words))).flat().map(hit => hit.path)

  /** The same result by checking every name. */
  function expected(start: string, ...words: string[]): string[] {
    const order = (path: string) => path.replaceAll('/', '\0')
    const holds = (path: string) => {
      const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
      return words.length === 0 || words.some(word => name.includes(word.toLowerCase()))
    }
    const paths = all.filter(path => path.startsWith(start) && path !== start && holds(path))
    return paths.map(path => path.slice(start.length)).sort((a, b) => (order(a) < order(b) ? -1 : 1))
  }

  test.each([
    ['everything', []],
    ['what is in every name', ['common']],
    ['what is here and there', ['seldom']],
    ['what is only at the beginning', ['FIRST']],
    ['what is only at the end', ['last']],
    ['one name at the end', ['59x249']],
    ['folders', ['part']],
    ['parts of one sign', ['w']],
    ['one of several words', ['seldom', 'within', '3x77']],
    ['nothing', ['nowhere']],
  ] as const)('finds %s, each thing once and in order', async (_, words) => {
    const paths = await found(TOP, ...words)
    expect(paths).toEqual(expected('', ...words))
    expect(new Set(paths).size).toBe(paths.length)
  })

  test('finds only names below the queried folder', async () => {
    for (const word of ['seldom', 'common', 'part', '60x24', 'nowhere']) {
      expect(await found(inner, word)).toEqual(expected('deep/', word))
    }
  })

  test('finds names added behind its position while it runs', async () => {
    const search = store.seek(TOP, ['added later'])
    expect((await search.next()).value).toEqual([])
    const last = await store.child(TOP, `Part ${FOLDERS - 1}`)
    if (last === undefined) throw new Error('no such folder')
    const items = [...(await store.items(last))].map(([name, known]) => ({ name, ...known }))
    await store.setItems(last, sorted([...items, file('added later')]), 'y')
    expect((await Array.fromAsync(search)).flat().map(hit => hit.path)).toEqual([`Part ${FOLDERS - 1}/added later`])
    await store.setItems(last, sorted(items), 'z')
  })

  test('misses no permanent name, and returns none twice, while others come and go', async () => {
    const roll = dice(20_261_123)
    const kept = new Map<number, Map<string, Known>>()
    for (const child of await store.children(TOP)) kept.set(child.id, await store.items(child.id))
    const places = [...kept.keys()].filter(id => id !== inner)
    const change = async () => {
      const id = places[roll(places.length)] ?? inner
      const extra = Array.from({ length: roll(4) }, () => file(`${roll(2) ? 'common' : ' a'} extra ${roll(1000)}`))
      const others = new Map(extra.map(item => [item.name, item]))
      const items = [...(kept.get(id) ?? [])].map(([name, known]) => ({ name, ...known }))
      await store.setItems(id, sorted([...items, ...others.values()]), 'y')
    }
    for (const words of [['common'], ['seldom'], []]) {
      const paths: string[] = []
      for await (const hits of store.seek(TOP, words)) {
        paths.push(...hits.map(hit => hit.path))
        await change()
      }
      expect(new Set(paths).size).toBe(paths.length)
      expect(paths.filter(path => !path.includes(' extra '))).toEqual(expected('', ...words))
    }
    for (const [id, items] of kept)
      await store.setItems(id, sorted([...items].map(([name, known]) => ({ name, ...known }))), 'z')
  })
}
