import { createHmac } from 'node:crypto'
import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { OfficeTest } from '../../../shared/api/office.ts'
import { encodePath, type FilePath, parentOf } from '../../../shared/path.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { Discovery, DiscoveryError, type DiscoveryOptions } from './discovery.ts'
import { OfficeTokens } from './office-tokens.ts'
import { isProven, type Proof } from './proof.ts'

export interface OfficeOptions extends Pick<DiscoveryOptions, 'userAgent'> {
  db: Db
  cluster: Pick<Cluster, 'lock'>
  config: OfficeConfig
  /** From which the ids of users are made that the editor learns. */
  key: Uint8Array
}

export interface OfficeConfig {
  office: string
  officeCallback: string
  officeNetworks: readonly string[]
  publicURL: string
}

/** The office editor of the host, which opens documents by WOPI. */
export class Office {
  readonly discovery: Discovery
  readonly tokens: OfficeTokens
  readonly #config: OfficeConfig
  readonly #key: Uint8Array
  /** When the last requests of the editor came. */
  readonly #calls: Pick<OfficeTest['calls'], 'answered' | 'refused'> = {}

  constructor({ db, cluster, config, key, userAgent }: OfficeOptions) {
    this.discovery = new Discovery({ office: config.office, networks: config.officeNetworks, userAgent })
    this.tokens = new OfficeTokens({ db, cluster })
    this.#config = config
    this.#key = key
  }

  /** The address of a file for the editor. */
  sourceOf(fileId: string): string {
    return `${this.#callback}/wopi/files/${fileId}`
  }

  /** The page with the editor, for a path of the user. */
  pageOf(path: FilePath): string {
    return `${this.#config.publicURL}/files${encodePath(path)}?as=office`
  }

  /** The page of the folder that a path is in. */
  folderOf(path: FilePath): string {
    return `${this.#config.publicURL}/files${encodePath(parentOf(path))}`
  }

  /** The origin of the pages that show the editor in a frame. */
  get pages(): string {
    return new URL(this.#config.publicURL).origin
  }

  /** The origin under which the editor calls this server. */
  get callbackOrigin(): string {
    return new URL(this.#callback).origin
  }

  /** An id of a user that says nothing about the account. */
  userIdOf(userId: number): string {
    return createHmac('sha256', this.#key).update(`office user ${userId}`).digest('hex').slice(0, 32)
  }

  /**
   * Checks that a request comes from the editor. Where the editor signs nothing, its network says so.
   * @param proof nothing for a request without
   * @throws AppError `identity_refused`, `provider_unavailable`
   */
  async demandProof(proof: Proof | undefined): Promise<void> {
    const isEditors = await this.#isEditors(proof)
    this.#calls[isEditors ? 'answered' : 'refused'] = new Date().toISOString()
    if (!isEditors) throw new AppError('identity_refused', 'the request is not proven to be one of the office editor')
  }

  /** What is known of the ways between this server, the editor and browsers. Reads the discovery. */
  async test(): Promise<OfficeTest> {
    const calls = { address: this.#callback, ...this.#calls }
    try {
      const { actions, keys, leadsElsewhere } = await this.discovery.check()
      const discovery = { ok: true, extensions: actions.size, signs: keys !== undefined }
      return { discovery, calls, pages: { ok: !leadsElsewhere, origin: new URL(this.#config.office).origin } }
    } catch (thrown) {
      if (!(thrown instanceof DiscoveryError)) throw thrown
      return { discovery: { ok: false, reason: thrown.message }, calls }
    }
  }

  /** Whether the editor answers now, and whether it reaches this server. */
  async findings(): Promise<Finding[]> {
    const { discovery } = await this.test()
    const answers: Finding = { code: discovery.ok ? 'officeUp' : 'officeAway', what: this.#config.office }
    if (!discovery.ok || !(await this.tokens.areAllUnused())) return [answers]
    return [answers, { code: 'officeSilent', what: this.#callback }]
  }

  async #isEditors(proof: Proof | undefined): Promise<boolean> {
    const { keys } = await this.discovery.current()
    if (!keys && this.#config.officeNetworks.length > 0) return true
    if (!keys || !proof) return false
    if (isProven(proof, keys)) return true
    const fresh = (await this.discovery.fresh()).keys
    return fresh !== undefined && isProven(proof, fresh)
  }

  get #callback(): string {
    return this.#config.officeCallback || this.#config.publicURL
  }
}
