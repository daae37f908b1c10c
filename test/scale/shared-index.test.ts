import { afterEach, describe, expect, test } from 'vitest'
import { connectionTo } from '../../server/db/connection.ts'
import { TOP } from '../../server/search-index/index-store.ts'
import { openPostgresStore } from '../../server/search-index/postgres/open.ts'
import type { PostgresStore } from '../../server/search-index/postgres/store.ts'
import { CannotShare } from '../../server/search-index/postgres/tables.ts'
import { seekSuite } from '../../server/search-index/test-seek.ts'
import { parsePath } from '../../shared/path.ts'
import { ask, hasPostgres, sharedPostgres } from './postgres.ts'

/** An index as one more server of a place opens it. */
const openStore = (database: string, place = 's3 bucket/'): Promise<PostgresStore> =>
  openPostgresStore(connectionTo(database), place)

describe.runIf(hasPostgres)('a search in the index of names that servers share', () => {
  seekSuite(async () => openStore(await (await sharedPostgres()).make()))
})

describe.runIf(hasPostgres)('the tables of an index that servers share', () => {
  const opened: PostgresStore[] = []
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close()
  })

  const make = async () => (await sharedPostgres()).make()
  const open = async (database: string, place?: string) => {
    const store = await openStore(database, place)
    opened.push(store)
    return store
  }
  /** Stops one without cleanup, as a kill does. */
  const leave = async (store: PostgresStore) => {
    opened.splice(opened.indexOf(store), 1)
    await store.close()
  }
  /** The totals of everything in an index. */
  const totals = async (store: PostgresStore) => {
    const { done, value } = await store.sizes(TOP, { most: 0 }).next()
    return done ? value.total : undefined
  }
  const tablesIn = async (database: string) =>
    (await ask(database, "select 1 from pg_tables where tablename like 'names%about'")).length

  test('are complete for a new server while another one runs', async () => {
    const database = await make()
    const one = await open(database)
    expect(await one.isComplete()).toBe(false)
    expect(await one.beginScan(60_000)).toBe(true)
    const other = await open(database)
    expect(await other.beginScan(60_000)).toBe(false)
    await one.endScan()
    expect(await other.isComplete()).toBe(true)
    expect(await other.beginScan(60_000)).toBe(false)
    expect(await other.beginScan(0)).toBe(true)
    await leave(one)
    await leave(other)
    await expect.poll(() => ask(database, "select 1 from pg_locks where locktype = 'advisory'")).toEqual([])
    expect(await (await open(database)).isComplete()).toBe(false)
  })

  test('are scanned by another server when the scanning one has ended', async () => {
    const database = await make()
    const [one, other] = [await open(database), await open(database)]
    expect(await one.beginScan(60_000)).toBe(true)
    expect(await other.beginScan(60_000)).toBe(false)
    await leave(one)
    await expect.poll(() => other.beginScan(60_000)).toBe(true)
  })

  test('store the content of a folder, and delete it with all that is below it', async () => {
    const database = await make()
    const [one, other] = [await open(database), await open(database)]
    await one.begin()
    const names = ['\udce9 not UTF-8', 'a_b%', 'Ünder', '💩', '\uffee']
    const deep = await one.addFolder(await one.addFolder(TOP, 'outer'), 'in\udcffner')
    await one.setItems(
      deep,
      names.sort().map((name, fact) => ({ name, fact, disk: fact + 1 })),
      '',
    )
    expect(await other.folderAt(parsePath('/outer'))).toBeUndefined()
    await one.commit()
    expect(await other.folderAt(parsePath('/outer/in\udcffner'))).toBe(deep)
    expect([...(await other.items(deep))]).toEqual(names.sort().map((name, fact) => [name, { fact, disk: fact + 1 }]))
    expect(await totals(other)).toMatchObject({ files: 5, bytes: 10, disk: 15 })
    const paths = async (...words: string[]) =>
      (await Array.fromAsync(other.seek(TOP, words))).flat().map(hit => hit.path)
    expect(await paths('_B%')).toEqual(['outer/in\udcffner/a_b%'])
    expect(await paths('\udce9')).toEqual(['outer/in\udcffner/\udce9 not UTF-8'])
    expect(await paths('üND')).toEqual(['outer/in\udcffner/Ünder'])
    expect(await paths('/', 'a\0b')).toEqual([])
    await other.detach((await other.folderAt(parsePath('/outer'))) ?? TOP)
    expect(await totals(one)).toMatchObject({ files: 0, bytes: 0, disk: 0 })
    expect((await Array.fromAsync(one.seek(TOP, []))).flat()).toEqual([])
    expect(await one.has(deep)).toBe(false)
  })

  test('of another root are deleted once no server uses it', async () => {
    const database = await make()
    const old = await open(database, 'another bucket')
    await open(database)
    expect(await tablesIn(database)).toBe(2)
    await leave(old)
    await expect
      .poll(async () => {
        await leave(await open(database))
        return tablesIn(database)
      })
      .toBe(1)
  })

  test('are not created in a database of another encoding', async () => {
    const { address } = await sharedPostgres()
    const name = `latin_${Date.now()}`
    await ask(`${address}/postgres`, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`)
    await expect(open(`${address}/${name}`)).rejects.toThrow(CannotShare)
  })
})
