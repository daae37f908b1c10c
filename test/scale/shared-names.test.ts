import { afterEach, describe, expect, test } from 'vitest'
import { connectionTo } from '../../server/db/connection.ts'
import { SharedNames } from '../../server/storage/names/postgres/store.ts'
import { WaitingClient } from '../../server/storage/names/postgres/sync-pg-client.ts'
import { CannotShare, SharedTables } from '../../server/storage/names/postgres/tables.ts'
import { TOP } from '../../server/storage/names/store.ts'
import { seekSuite } from '../../server/storage/names/test-query.ts'
import { parsePath } from '../../shared/path.ts'
import { ask, hasPostgres, sharedPostgres } from './postgres.ts'

/** An index as one more server of a place opens it. */
function openNames(database: string, root = 's3 bucket/'): SharedNames {
  const client = new WaitingClient(connectionTo(database))
  const tables = new SharedTables(client, root)
  tables.open()
  return new SharedNames(client, tables)
}

describe.runIf(hasPostgres)('a search in the index of names that servers share', () => {
  seekSuite(async () => openNames(await (await sharedPostgres()).make()))
})

describe.runIf(hasPostgres)('the tables of an index that servers share', () => {
  const opened: SharedNames[] = []
  afterEach(() => {
    for (const names of opened.splice(0)) names.close()
  })

  const make = async () => (await sharedPostgres()).make()
  const open = (database: string, root?: string) => {
    const names = openNames(database, root)
    opened.push(names)
    return names
  }
  /** Stops one without cleanup, as a kill does. */
  const leave = (names: SharedNames) => {
    opened.splice(opened.indexOf(names), 1)
    names.close()
  }
  const tablesIn = async (database: string) =>
    (await ask(database, "select 1 from pg_tables where tablename like 'names%about'")).length

  test('are complete for a new server while another one runs', async () => {
    const database = await make()
    const one = open(database)
    expect(one.isComplete()).toBe(false)
    expect(one.beginCheck(60_000)).toBe(true)
    const other = open(database)
    expect(other.beginCheck(60_000)).toBe(false)
    one.endCheck()
    expect(other.isComplete()).toBe(true)
    expect(other.beginCheck(60_000)).toBe(false)
    expect(other.beginCheck(0)).toBe(true)
    leave(one)
    leave(other)
    await expect.poll(() => ask(database, "select 1 from pg_locks where locktype = 'advisory'")).toEqual([])
    expect(open(database).isComplete()).toBe(false)
  })

  test('are scanned by another server when the scanning one has ended', async () => {
    const database = await make()
    const [one, other] = [open(database), open(database)]
    expect(one.beginCheck(60_000)).toBe(true)
    expect(other.beginCheck(60_000)).toBe(false)
    leave(one)
    await expect.poll(() => other.beginCheck(60_000)).toBe(true)
  })

  test('store the content of a folder, and delete it with all that is below it', async () => {
    const database = await make()
    const [one, other] = [open(database), open(database)]
    one.begin()
    const names = ['\udce9 not UTF-8', 'a_b%', 'Ünder', '💩', '\uffee']
    const deep = one.addFolder(one.addFolder(TOP, 'outer'), 'in\udcffner')
    one.setItems(
      deep,
      names.sort().map((name, fact) => ({ name, fact, disk: fact + 1 })),
      '',
    )
    expect(other.folderAt(parsePath('/outer'))).toBeUndefined()
    one.commit()
    expect(other.folderAt(parsePath('/outer/in\udcffner'))).toBe(deep)
    expect([...other.items(deep)]).toEqual(names.sort().map((name, fact) => [name, { fact, disk: fact + 1 }]))
    expect(other.sums(TOP).all).toMatchObject({ files: 5, bytes: 10, disk: 15 })
    const paths = (...words: string[]) => [...other.seek(TOP, words)].flatMap(hit => hit?.path ?? [])
    expect(paths('_B%')).toEqual(['outer/in\udcffner/a_b%'])
    expect(paths('\udce9')).toEqual(['outer/in\udcffner/\udce9 not UTF-8'])
    expect(paths('üND')).toEqual(['outer/in\udcffner/Ünder'])
    expect(paths('/', 'a\0b')).toEqual([])
    other.detach(other.folderAt(parsePath('/outer')) ?? TOP)
    expect(one.sums(TOP).all).toMatchObject({ files: 0, bytes: 0, disk: 0 })
    expect([...one.seek(TOP, [])].filter(hit => hit)).toEqual([])
    expect(one.place(deep)).toBeUndefined()
  })

  test('of another root are deleted once no server uses it', async () => {
    const database = await make()
    const old = open(database, 'another bucket')
    open(database)
    expect(await tablesIn(database)).toBe(2)
    leave(old)
    await expect
      .poll(() => {
        leave(open(database))
        return tablesIn(database)
      })
      .toBe(1)
  })

  test('are not created in a database of another encoding', async () => {
    const { address } = await sharedPostgres()
    const name = `latin_${Date.now()}`
    await ask(`${address}/postgres`, `create database ${name} template template0 encoding 'LATIN1' locale 'C'`)
    expect(() => open(`${address}/${name}`)).toThrow(CannotShare)
  })
})
