import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect } from 'vitest'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import type { Files } from '../../files/files.ts'
import { createFiles, type FilesService } from '../../files/files-service.ts'
import type { Amount, OwnQuota } from '../../lib/amount.ts'
import type { StorageDriver } from '../../storage/driver.ts'
import { openFolder } from '../../storage/open-storage.ts'
import { type ActingUser, findActingUser } from '../groups/acting-user.ts'
import { addUser, BLANK_USER, setUserQuota } from '../users/users.store.ts'
import { findMeter, meterId } from './meters.store.ts'
import { Quotas } from './quotas.ts'

export const KIB = 1024

/** Bytes of the files below a folder, and the number of its files and folders, as the disk has them. */
async function amountOnDisk(folder: string): Promise<Amount> {
  const sum = { bytes: 0, items: 0 }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) sum.items += 1
    if (entry.isFile()) sum.bytes += (await stat(join(entry.parentPath, entry.name))).size
  }
  return sum
}

export const p = (path: string): FilePath => parsePath(path)
export const body = (bytes: number): Readable => Readable.from([Buffer.alloc(bytes)])
export const put = (own: Files, path: string, bytes: number, override = false) =>
  own.write(p(path), body(bytes), { override, length: bytes })
/** The codes with which calls fail, `ok` for others, sorted. */
export const codes = async (all: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(all)).map(result => (result.status === 'rejected' ? result.reason.code : 'ok')).sort()

/** A served folder with users and quotas, new for each test. */
export class QuotaPlace {
  readonly cluster = openLocalCluster()
  root = ''
  db!: Db
  quotas!: Quotas
  files!: FilesService
  storage!: StorageDriver
  /** What was logged as an error. */
  errors: object[] = []

  constructor() {
    beforeEach(async () => {
      this.root = await mkdtemp(join(tmpdir(), 'filigree-quotas-'))
      this.db = (await openDb(join(this.root, 'f.db'))).db
      this.errors = []
      await this.start()
    })
    afterEach(async () => {
      await this.quotas.close()
      await this.db.destroy()
      await rm(this.root, { recursive: true })
    })
  }

  /** The place of a path on the disk. */
  on(path: string): string {
    return join(this.root, 'srv', path)
  }

  /** As a server does; the one before has ended. */
  async start(): Promise<void> {
    const { db, cluster } = this
    await this.quotas?.close().catch(() => {})
    await mkdir(this.on(''), { recursive: true })
    this.storage = await openFolder(this.on(''), { stagingKey: Buffer.alloc(32) })
    const { storage } = this
    const log = { info() {}, error: (facts: object) => void this.errors.push(facts) }
    this.quotas = new Quotas({ db, cluster, storage, isOnlyServer: true, log })
    this.files = createFiles({ storage, cluster, globalRules: async () => [], quotas: this.quotas })
    await this.quotas.counting.start()
  }

  async user(username: string, scope = `/${username}`): Promise<number> {
    await mkdir(this.on(scope), { recursive: true })
    return (await addUser(this.db, { ...BLANK_USER, username, scope, passwordHash: '', perm: ALL_PERMISSIONS })).id
  }

  async acting(id: number): Promise<ActingUser> {
    return (await findActingUser(this.db, id)) ?? expect.fail('the user is missing')
  }

  /** The files of a user as the next request has them. */
  async filesOf(id: number): Promise<Files> {
    return this.files.for(await this.acting(id))
  }

  /** Sets a quota, and counts what is there. */
  async limit(id: number, quota: Partial<OwnQuota>): Promise<void> {
    await setUserQuota(this.db, id, quota)
    this.cluster.publish('quotas.changed', {})
    await this.quotas.counting.wake()
  }

  async meter(folder: string) {
    const found = (await findMeter(this.db, meterId(p(folder)))) ?? expect.fail('there is no meter')
    const { used, held } = found
    return { ...found, ...used, held: held.bytes, heldItems: held.items }
  }

  /** Counts a home again. @returns whether it is exact */
  async recount(folder: string): Promise<boolean> {
    const found = await findMeter(this.db, meterId(p(folder)))
    return found !== undefined && this.quotas.counting.count(found)
  }

  amount(folder: string): Promise<Amount> {
    return amountOnDisk(this.on(folder))
  }

  /** Demands that a meter has exactly what is on the disk, and nothing is reserved. */
  async expectTrue(folder: string): Promise<void> {
    expect(await this.meter(folder)).toMatchObject({ ...(await this.amount(folder)), held: 0, heldItems: 0 })
  }
}
