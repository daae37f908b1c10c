import { randomBytes } from 'node:crypto'
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { type FilePath, parentOf } from '../../../shared/path.ts'
import type { DavPropsTable } from '../../db/dav-props-schema.ts'
import { isAtOrBelow, isOneOf } from '../../db/path-columns.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { pathMapper } from '../../files/path-mapper.ts'
import type { PlacedProperty, PropertyChange, PropertyOwner, PropertyRecords } from '../../files/property-records.ts'
import { LIMITS } from '../../limits.ts'

/** Rows inserted at a time. */
const PAGE = 100

/** The rows of properties, shared by all servers. */
export class StoredProperties implements PropertyRecords {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  at(place: FilePath): Promise<PlacedProperty[]> {
    return select(this.#db, isOneOf(this.#db, 'place', [place]))
  }

  inFolder(folder: FilePath): Promise<PlacedProperty[]> {
    const isIt = isOneOf(this.#db, 'place', [folder])
    return select(this.#db, sql<SqlBool>`(${isIt} or ${isOneOf(this.#db, 'parent', [folder])})`)
  }

  below(place: FilePath): Promise<PlacedProperty[]> {
    return select(this.#db, isAtOrBelow(this.#db, 'place', place))
  }

  async change({ place, identity }: PropertyOwner, { set, remove }: PropertyChange): Promise<void> {
    await this.#db.transaction().execute(async db => {
      const at = isOneOf(db, 'place', [place])
      await db.deleteFrom('dav_props').where(at).where('identity', '!=', identity).execute()
      for (const { namespace, name } of [...set, ...remove])
        await db.deleteFrom('dav_props').where(at).where('namespace', '=', namespace).where('name', '=', name).execute()
      await insert(
        db,
        set.map(property => ({ ...property, place, identity })),
      )
      const { count } = await db
        .selectFrom('dav_props')
        .select(({ fn }) => fn.countAll().as('count'))
        .where(at)
        .executeTakeFirstOrThrow()
      if (Number(count) > LIMITS.itemProperties) throw new AppError('no_space', 'there are too many properties')
    })
  }

  async replaced(was: PropertyOwner, now: PropertyOwner): Promise<void> {
    const query = this.#db.updateTable('dav_props').set({ identity: now.identity })
    await query
      .where(isOneOf(this.#db, 'place', [was.place]))
      .where('identity', '=', was.identity)
      .execute()
  }

  async moved(from: FilePath, to: FilePath): Promise<void> {
    const image = pathMapper(from, to)
    await this.#db.transaction().execute(async db => {
      const rows = await rowsWhere(db, isAtOrBelow(db, 'place', from))
      await db
        .deleteFrom('dav_props')
        .where(isAtOrBelow(db, 'place', to))
        .execute()
      for (const { id, place } of rows) {
        const now = image(fromStored(place) as FilePath)
        await db.updateTable('dav_props').set(placed(now)).where('id', '=', id).execute()
      }
    })
  }

  async add(properties: readonly PlacedProperty[]): Promise<void> {
    await this.#db.transaction().execute(async db => {
      for (const place of new Set(properties.map(property => property.place)))
        await db
          .deleteFrom('dav_props')
          .where(isOneOf(db, 'place', [place]))
          .execute()
      await insert(db, properties)
    })
  }

  async remove(place: FilePath): Promise<void> {
    await this.#db
      .deleteFrom('dav_props')
      .where(isAtOrBelow(this.#db, 'place', place))
      .execute()
  }
}

const rowsWhere = (db: Db, where: RawBuilder<SqlBool>) =>
  db.selectFrom('dav_props').selectAll().where(where).orderBy('set_at').orderBy('id').execute()

async function select(db: Db, where: RawBuilder<SqlBool>): Promise<PlacedProperty[]> {
  return (await rowsWhere(db, where)).map(toProperty)
}

async function insert(db: Db, properties: readonly PlacedProperty[]): Promise<void> {
  const set_at = Date.now()
  const rows = properties.map(({ place, ...rest }) => ({ ...rest, ...placed(place), id: newId(), set_at }))
  for (let at = 0; at < rows.length; at += PAGE)
    await db
      .insertInto('dav_props')
      .values(rows.slice(at, at + PAGE))
      .execute()
}

const placed = (place: FilePath) => ({ place: toStored(place), parent: toStored(parentOf(place)) })
const newId = () => randomBytes(12).toString('hex')

const toProperty = ({ place, identity, namespace, name, value }: Selectable<DavPropsTable>): PlacedProperty => ({
  place: fromStored(place) as FilePath,
  identity,
  namespace,
  name,
  value,
})
