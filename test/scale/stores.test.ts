import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { findRows } from '../../server/audit/audit.store.ts'
import { Audit } from '../../server/audit/audit.ts'
import { verifyAudit } from '../../server/audit/verify.ts'
import { openLocalCluster } from '../../server/cluster/local.ts'
import { isPostgres } from '../../server/db/address.ts'
import { copyState } from '../../server/db/copy-database.ts'
import { lockForChanges } from '../../server/db/lock.ts'
import { openDb } from '../../server/db/open.ts'
import type { Db, JobItemsTable, JobsTable, UploadsTable } from '../../server/db/schema.ts'
import { findSession, insertSession, UNUSED } from '../../server/features/auth/sessions.store.ts'
import { changeAddress } from '../../server/features/mail/addresses.store.ts'
import { noteSignIn } from '../../server/features/mail/sign-ins.ts'
import { signingKey } from '../../server/features/settings/settings.store.ts'
import { deleteWithin } from '../../server/features/shares/bound.store.ts'
import { forgetLinkEvents, insertLinkEvent, listLinkEvents } from '../../server/features/shares/link-events.store.ts'
import {
  insertShare,
  listShares,
  takeDownload,
  updateShare,
  VIEWED,
} from '../../server/features/shares/shares.store.ts'
import {
  foldersNotedBefore,
  forgetFolders,
  noteFolders,
  notePlace,
  placesAfter,
} from '../../server/features/uploads/orphan-cleanup.store.ts'
import { findUpload, insertUpload } from '../../server/features/uploads/uploads.store.ts'
import {
  countGuess,
  countMiss,
  readGuesses,
  sweepGuesses,
} from '../../server/features/users/password-throttle.store.ts'
import { addUser, BLANK_USER, countUsers, deleteUser, findUserByName } from '../../server/features/users/users.store.ts'
import {
  claimJob,
  countItems,
  endJob,
  findJob,
  insertJob,
  nextItems,
  updateItems,
} from '../../server/jobs/jobs.store.ts'
import { LIMITS } from '../../server/limits.ts'
import type { FilePath } from '../../shared/path.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

const folder = await mkdtemp(join(tmpdir(), 'filigree-stores-'))
afterAll(() => rm(folder, { recursive: true }))

const newFile = async () => join(await mkdtemp(join(folder, 'f-')), 'f.db')

/** Each names a fresh database. */
const ENGINES: Record<string, () => Promise<string>> = {
  SQLite: newFile,
  ...(hasPostgres ? { PostgreSQL: async () => (await sharedPostgres()).make() } : {}),
}

const open: Db[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(db => db.destroy()))
})

async function openOne(database: string): Promise<Db> {
  const { db } = await openDb(database)
  open.push(db)
  return db
}

/** The connections of two servers to a database; SQLite has one server only. */
async function openPair(database: string): Promise<readonly [Db, Db]> {
  const one = await openOne(database)
  return [one, isPostgres(database) ? await openOne(database) : one]
}

const person = (username: string) => ({ ...BLANK_USER, username, passwordHash: '' })
const link = (hash: string, place: string) => ({
  ...{ hash, userId: 1, path: place, place: place as FilePath, canonical: place as FilePath, identity: '1' },
  kind: 'file' as const,
  ...{ expire: 0, passwordHash: '', tokenHash: '', ...VIEWED },
})
const upload = (id: string, path: string): UploadsTable => ({
  ...{ id, user_id: 1, scope: '.', path, staged: path, length: 2 ** 40, offset: 0, override: 0, if_match: null },
  ...{ modified: null, unmodified_since: null, link: null, checksum: null, created_at: 1, expires_at: 2 },
})
const job = (id: string): JobsTable => ({
  ...{ id, kind: 'delete', user_id: 1, session_id: 's', scope: '/', payload: '{}', state: 'waiting', code: null },
  ...{ stop: 0, created_at: 1, run_at: 1, started_at: null, ended_at: null, owner: null, heartbeat: 0, progress: '{}' },
  origin: '{}',
})
const item = (job_id: string, position: number): JobItemsTable => ({
  ...{ job_id, position, source: `/${position}`, target: null, conflict: null, state: 'waiting', code: null },
  journal: null,
})

describe.each(Object.entries(ENGINES))('the stores on %s', (_name, make) => {
  test('two concurrent first starts create one database with one set of keys', async () => {
    const database = await make()
    const first = await openOne(database)
    const both = await Promise.all([openOne(database), openOne(database)])
    const keys = await Promise.all(both.map(signingKey))
    expect(keys.map(key => key.toString('hex'))).toEqual(Array(2).fill((await signingKey(first)).toString('hex')))
    expect(await openDb(database).then(({ db, isNew }) => db.destroy().then(() => isNew))).toBe(false)
  })

  test('no id of a user is ever reused, also after an explicit one', async () => {
    const db = await openOne(await make())
    const ids = [(await addUser(db, person('a'))).id, (await addUser(db, person('b'), 7)).id]
    const newest = await addUser(db, person('c'))
    await deleteUser(db, newest.id)
    const last = await addUser(db, person('d'))
    expect([...ids, newest.id, last.id]).toEqual([1, 7, 8, 9])
    await expect(addUser(db, person('d'))).rejects.toMatchObject({ code: 'exists' })
    expect(await countUsers(db)).toBe(3)
  })

  test('reports a row whose user is deleted, and keeps times unchanged', async () => {
    const db = await openOne(await make())
    const times = { created_at: 1.7e12, renewed_at: 0, expires_at: 2 ** 45, rotated_at: UNUSED, seen_at: 0 }
    const session = {
      id: 's',
      user_id: 1,
      ...times,
      token_id: '',
      previous_id: '',
      address: '',
      agent: 'Ü 漢',
      way: 'session',
      provider: 'home',
      provider_sid: 's1',
      id_token: '',
      provider_factor: 1,
      ends_at: 2 ** 45,
      factors: 'oidc mfa',
      confirmed_at: 2 ** 44,
    }
    await expect(insertSession(db, session)).rejects.toMatchObject({ code: 'unauthorized' })
    await addUser(db, person('a'))
    await insertSession(db, session)
    expect(await findSession(db, 's')).toEqual(session)
    await deleteUser(db, 1)
    expect(await findSession(db, 's')).toBeUndefined()
  })

  test('DB-10 refuses texts that not every database stores unchanged', async () => {
    const db = await openOne(await make())
    for (const name of ['a\0b', 'half \ud800']) {
      expect(await findUserByName(db, name)).toBeUndefined()
      await expect(addUser(db, person(name))).rejects.toMatchObject({ code: 'bad_request' })
    }
    const odd = `quote ' " \\ $1 ? ; --`
    await addUser(db, { ...person(odd), passwordHash: odd.repeat(50_000) })
    expect((await findUserByName(db, odd))?.passwordHash).toBe(odd.repeat(50_000))
  })

  test('stores paths of every length', async () => {
    const db = await openOne(await make())
    const long = `/${randomBytes(2000).toString('hex')}`
    for (const time of [1, 2]) {
      await notePlace(db, long, time)
      await noteFolders(db, [long], time)
    }
    expect(await placesAfter(db, '', 9)).toEqual([long])
    expect(await foldersNotedBefore(db, 9)).toEqual([{ folder: long, noted_at: 2 }])
    await addUser(db, person('a'))
    await insertShare(db, link('h', long))
    await deleteWithin(db, 'shares', [long as FilePath])
    expect(await listShares(db, {})).toEqual([])
    await insertUpload(db, upload('u', long))
    await expect(insertUpload(db, upload('v', long))).rejects.toMatchObject({ code: 'exists' })
    expect((await findUpload(db, 1, long))?.id).toBe('u')
  })

  test('links to edit have their rights, which change', async () => {
    const db = await openOne(await make())
    await addUser(db, person('a'))
    await insertShare(db, { ...link('h', '/a'), purpose: 'edit', rights: ['create', 'delete'] })
    await insertShare(db, link('i', '/a'))
    expect((await listShares(db, {})).map(({ rights }) => rights)).toEqual([['create', 'delete'], []])
    expect((await updateShare(db, 'h', { rights: ['modify'] }, 1))?.rights).toEqual(['modify'])
    expect((await updateShare(db, 'h', { label: 'b' }, 1))?.rights).toEqual(['modify'])
  })

  test('texts are in byte order, and paths below a folder are found by their prefix', async () => {
    const db = await openOne(await make())
    const places = ['/B', '/Z', '/a', '/a b', '/a/b', '/a0', '/ä', '/\udcff']
    for (const place of places) await notePlace(db, place, 1)
    expect(await placesAfter(db, '', 100)).toEqual(['/\udcff', ...places.slice(0, -1)])
    expect(await placesAfter(db, '/a b', 2)).toEqual(['/a/b', '/a0'])
    await addUser(db, person('a'))
    for (const [index, place] of ['/a', '/a/b', '/a/\udcff', '/a b', '/a0', '/A/b'].entries()) {
      await insertShare(db, link(String(index), place))
    }
    await deleteWithin(db, 'shares', ['/a' as FilePath])
    expect((await listShares(db, {})).map(({ hash }) => hash).sort()).toEqual(['3', '4', '5'])
    await forgetFolders(db, [])
  })

  test('PUB-04 PUB-05 two servers never give more downloads than a link has, nor one name to two links', async () => {
    const [one, two] = await openPair(await make())
    await addUser(one, person('a'))
    await insertShare(one, { ...link('h', '/a'), slug: 'trip', maxDownloads: 3 })
    const taken = await Promise.all(Array.from({ length: 40 }, (_, i) => takeDownload(i % 2 ? one : two, 'h', 1)))
    expect(taken.filter(Boolean).length).toBe(3)
    expect(await insertShare(two, { ...link('i', '/a'), slug: 'trip' })).toBe(false)
    const made = await Promise.all([one, two].map((db, i) => insertShare(db, { ...link(`j${i}`, '/b'), slug: 'tour' })))
    expect(made.toSorted()).toEqual([false, true])
    await expect(updateShare(two, 'h', { slug: 'tour' }, 1)).rejects.toThrow()
    await insertLinkEvent(one, 'h', { at: 5, what: 'download', path: '/a' })
    await insertLinkEvent(two, 'h', { at: 6, what: 'view', path: '/' })
    await forgetLinkEvents(one, 'h', 1)
    expect(await listLinkEvents(two, 'h', 9)).toEqual([{ at: 6, what: 'view', path: '/' }])
  })

  test('concurrent guesses all count', async () => {
    const database = await make()
    const pair = await openPair(database)
    await Promise.all(Array.from({ length: 20 }, (_, n) => countGuess(pair[n % 2 ? 1 : 0], ['k', 'l'], 5, 99)))
    expect((await readGuesses(pair[0], ['k', 'l'], 6)).map(({ failures }) => failures)).toEqual([20, 20])
    await sweepGuesses(pair[1], 100)
    expect(await readGuesses(pair[0], ['k'], 6)).toEqual([])
  })

  test('concurrent misses all count, in a period that begins with the first', async () => {
    const pair = await openPair(await make())
    const miss = (n: number, now: number) => countMiss(pair[n % 2 ? 1 : 0], 'k', now, now + 60)
    const counted = await Promise.all(Array.from({ length: 20 }, (_, n) => miss(n, 5)))
    const counts = counted.map(({ failures }) => failures).sort((a, b) => a - b)
    expect(counts).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(await miss(0, 64)).toEqual({ failures: 21, forget_at: 65 })
    expect(await miss(1, 65)).toEqual({ failures: 1, forget_at: 125 })
  })

  test('what a user signed in from is known to both servers, for 90 days', async () => {
    const pair = await openPair(await make())
    const { id } = await addUser(pair[0], person('ann'))
    await changeAddress(pair[0], id, { address: 'ann@example.org' })
    let [at, count] = [Date.now(), 0]
    const add = async () => (count += 1) > 0
    const deps = { cluster: openLocalCluster(), mails: { isOn: true, add }, now: () => at }
    const signIn = async (server: 0 | 1, address: string) => {
      const before = count
      await noteSignIn({ ...deps, db: pair[server] }, id, { address, agent: 'curl/8' })
      return count - before
    }
    expect(await signIn(0, '192.0.2.1')).toBe(0)
    expect(await signIn(1, '192.0.2.2')).toBe(0)
    expect([await signIn(1, '192.0.3.1'), await signIn(0, '192.0.3.1')]).toEqual([1, 0])
    at += LIMITS.signInPlaceTime
    expect([await signIn(1, '192.0.2.1'), await signIn(0, '192.0.2.1')]).toEqual([1, 0])
    expect(await pair[0].selectFrom('sign_in_places').selectAll().execute()).toHaveLength(1)
  })

  test('a job is claimed by one of many, and one that lost it can no longer write to it', async () => {
    const database = await make()
    const pair = await openPair(database)
    const [db] = pair
    await insertJob(
      db,
      job('j'),
      Array.from({ length: 1200 }, (_, position) => item('j', position)),
    )
    const owners = Array.from({ length: 8 }, (_, n) => `owner ${n}`)
    const got = await Promise.all(owners.map((owner, n) => claimJob(pair[n % 2 ? 1 : 0], 'j', owner, 100, 0)))
    expect(got.filter(Boolean)).toHaveLength(1)
    const former = { id: 'j', owner: owners[got.indexOf(true)] ?? '' }
    const [next] = await nextItems(db, 'j', 1)
    const done = { ...item('j', 0), ...next, state: 'done' } as const
    expect(await updateItems(db, former, [done])).toBe(true)
    expect(await claimJob(db, 'j', 'new', 900, 500)).toBe(true)
    expect(await updateItems(db, former, [{ ...done, state: 'failed' }])).toBe(false)
    await endJob(db, former, { state: 'cancelled' })
    expect(await findJob(db, 'j')).toMatchObject({ state: 'running', owner: 'new', started_at: 100, run_at: 1 })
    expect(await countItems(db, 'j')).toMatchObject({ waiting: 1199, done: 1, failed: 0 })
  })

  test('the audit log is filtered by paths, and by parts of them', async () => {
    const db = await openOne(await make())
    const log = new Audit({ db, keep: { days: 0, rows: 1000 } })
    const event = { action: 'login', outcome: 'done', way: 'session', address: '::1' } as const
    const paths = ['/docs/a%b.TXT', '/docs', '/docs_2/Ä', '/a/axb.txt']
    for (const path of paths) await log.record({ ...event, path: path as FilePath })
    await log.close()
    const found = async (path: string) => (await findRows(db, { path }, 9)).map(row => row.path).sort()
    expect(await found('/docs')).toEqual(['/docs', '/docs/a%b.TXT'])
    expect(await found('DOCS_')).toEqual(['/docs_2/Ä'])
    expect(await found('a%b.t')).toEqual(['/docs/a%b.TXT'])
    expect(await found('2/Ä')).toEqual(['/docs_2/Ä'])
    expect(await found('!')).toEqual([])
  })

  test('the audit log of two servers is one chain', async () => {
    const database = await make()
    const pair = await openPair(database)
    const keep = { days: 0, rows: 1000 }
    const logs = pair.map(db => new Audit({ db, keep }))
    const event = { action: 'login', outcome: 'done', way: 'session', address: '::1' } as const
    const names = ['a', 'NUL \0', 'half \ud800', '/b']
    await Promise.all(names.flatMap(target => logs.map(log => log.record({ ...event, target }))))
    await Promise.all(logs.map(log => log.close()))
    expect(await verifyAudit(pair[0])).toMatchObject({ sound: 8, seen: true, head: { id: 8 } })
  })

  test('several changes are made in one transaction, with no other writer in between', async () => {
    const database = await make()
    const pair = await openPair(database)
    const add = (db: Db, fail: boolean) =>
      db.transaction().execute(async transaction => {
        await lockForChanges(transaction)
        const before = await countUsers(transaction)
        await addUser(transaction, person(`${before}`))
        if (fail) throw new Error('no')
      })
    const adding = pair.map((db, index) => add(db, index === 1).catch(() => {}))
    await Promise.all(adding)
    await add(pair[1], false)
    expect(await countUsers(pair[0])).toBe(2)
  })
})

describe.runIf(hasPostgres)('copying the whole state', () => {
  test('includes every row on the way to PostgreSQL and back, and the ids already used', async () => {
    const [first, last] = [await openOne(await newFile()), await openOne(await newFile())]
    const there = await openOne(await (await sharedPostgres()).make())
    const long = `/${randomBytes(2000).toString('hex')}`
    await addUser(first, person('anna'), 3)
    await deleteUser(first, (await addUser(first, person('gone'))).id)
    await insertShare(first, { ...link('h', long), userId: 3 })
    await insertJob(
      first,
      job('j'),
      Array.from({ length: 1200 }, (_, position) => item('j', position)),
    )
    for (const path of [long, '/\udcff', '/Ü', '/b']) await notePlace(first, path, 2 ** 45)
    await insertUpload(first, upload('u', '/%41\udcff'))
    await new Audit({ db: first, keep: { days: 0, rows: 9 } }).record({
      ...{ action: 'login', outcome: 'done', way: 'session', address: '::1' },
    })
    const key = await signingKey(first)
    const counts = await copyState(first, there)
    expect(Object.fromEntries(counts)).toMatchObject({ users: 1, shares: 1, jobs: 1, job_items: 1200, audit: 1 })
    expect(await copyState(there, last)).toEqual(counts)
    expect((await signingKey(last)).equals(key)).toBe(true)
    expect(await placesAfter(last, '', 9)).toEqual(await placesAfter(first, '', 9))
    expect((await listShares(there, {})).map(({ place }) => place)).toEqual([long])
    for (const db of [there, last]) expect((await addUser(db, person('newcomer'))).id).toBe(5)
    expect(await verifyAudit(last)).toMatchObject({ sound: 1, head: { id: 1 } })
    await expect(copyState(first, there)).rejects.toMatchObject({ code: 'exists' })
  })

  test('leaves nothing behind when a row cannot be stored', async () => {
    const file = await newFile()
    await (await openDb(file)).db.destroy()
    const raw = new DatabaseSync(file)
    raw.prepare('insert into settings values (?, ?)').run('odd', 'a\0b')
    raw.close()
    const there = await openOne(await (await sharedPostgres()).make())
    await expect(copyState(await openOne(file), there)).rejects.toMatchObject({ code: 'bad_request' })
    expect(await there.selectFrom('settings').selectAll().execute()).toEqual([])
  })
})
