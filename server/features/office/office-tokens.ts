import { createHash, randomBytes } from 'node:crypto'
import type { FilePath } from '../../../shared/path.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import {
  areUnused,
  deleteExpired,
  type FoundToken,
  findToken,
  insertFile,
  insertToken,
  noteUse,
  openFileAt,
} from './office.store.ts'

const FILE_ID_BYTES = 16
const TOKEN_BYTES = 32

/** A file that an editor may open. */
export interface OpenedFile {
  fileId: string
  /** Only its hash is stored. */
  token: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** Which file, and for whom. */
export interface Opening {
  /** Of the file, in the served root, symbolic links resolved. */
  place: FilePath
  userId: number
  /** The session of the request. */
  bearer: string
  mayWrite: boolean
}

/** The tokens with which office editors open files: each for one file and one user, in one session. */
export class OfficeTokens {
  readonly #db: Db
  readonly #cluster: Pick<Cluster, 'lock'>

  constructor({ db, cluster }: { db: Db; cluster: Pick<Cluster, 'lock'> }) {
    this.#db = db
    this.#cluster = cluster
  }

  /** A new token. All who open the same file get the same file id: the editor edits it with them together. */
  async open({ place, ...opening }: Opening): Promise<OpenedFile> {
    const now = Date.now()
    const fileId = await this.#cluster.lock('office', async () => {
      await deleteExpired(this.#db, now, now - LIMITS.officeToken)
      const known = await openFileAt(this.#db, place, now)
      if (known !== undefined) return known
      const id = randomBytes(FILE_ID_BYTES).toString('hex')
      await insertFile(this.#db, { id, place, now })
      return id
    })
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const expiresAt = now + LIMITS.officeToken
    await insertToken(this.#db, { ...opening, hash: hashOf(token), fileId, expiresAt })
    return { fileId, token, expiresAt }
  }

  /** What a token stands for; nothing for one that is wrong or has expired. The caller checks session and rights. */
  find(token: string): Promise<FoundToken | undefined> {
    return findToken(this.#db, hashOf(token))
  }

  /** Records that the editor used a token; once is enough. */
  async noteUse(token: string, { isUsed }: Pick<FoundToken, 'isUsed'>): Promise<void> {
    if (!isUsed) await noteUse(this.#db, hashOf(token), Date.now())
  }

  /** Whether the editor used none of the tokens that it has had for a minute; not where there are none. */
  areAllUnused(): Promise<boolean> {
    return areUnused(this.#db, Date.now() + LIMITS.officeToken - LIMITS.officeSilence)
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
