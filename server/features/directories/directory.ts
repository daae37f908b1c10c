import { Semaphore } from '../../lib/limit.ts'
import { LIMITS } from '../../limits.ts'
import { namesIn } from '../identities/home-template.ts'
import { UNWATCHED, type Watch } from '../identities/trial.ts'
import { DirectoryConnection } from './directory-connection.ts'
import { DirectoryError } from './directory-error.ts'
import { type DirectoryServer, type DirectorySettings, directoryId } from './directory-settings.ts'
import { CLOSING, type DirectoryEntry, SUBJECTS } from './entry.ts'
import { type Abilities, abilitiesOf, type FoundGroups, groupsOf } from './entry-groups.ts'
import { filled } from './filters.ts'
import { Servers } from './servers.ts'

/** How long the abilities of a server are believed, in milliseconds. */
const ABILITIES_FOR = 3_600_000

const SIGN_IN = { all: LIMITS.directorySignIn, each: LIMITS.directoryServer }

/** A user whom a directory vouches for. */
export interface Vouched {
  entry: DirectoryEntry
  groups: FoundGroups
}

/** A directory of the host. Every call ends within the limits, whatever its servers do. */
export class Directory {
  readonly settings: DirectorySettings
  readonly id: string
  readonly #servers: Servers
  readonly #permits = new Semaphore(LIMITS.directoryAttempts, {
    maxWaiting: LIMITS.directoryWaiting,
    retryAfter: LIMITS.directoryRetry,
  })
  readonly #abilities = new Map<DirectoryServer, { abilities: Abilities; until: number }>()

  constructor(settings: DirectorySettings) {
    this.settings = settings
    this.id = directoryId(settings)
    this.#servers = new Servers(settings.servers)
  }

  /**
   * Checks a password: searches the entry of a name, and signs in as that entry on a connection of its own.
   * @param username neither empty nor with control characters, as the password
   * @param watch is called for each step
   * @returns nothing when no entry has the name
   * @throws DirectoryError `refused` for a wrong password; AppError `unavailable` when too many wait
   */
  verify(username: string, password: string, watch = UNWATCHED): Promise<Vouched | undefined> {
    return this.#vouched(username, watch, async (server, signal, { dn }) => {
      watch('password')
      const own = await DirectoryConnection.open(server, this.settings, { signal })
      try {
        await own.bind(dn, password)
      } finally {
        own.close()
      }
    })
  }

  /** The entry of a name with its groups, whatever the password is: for administrators. @throws DirectoryError */
  look(username: string, watch: Watch): Promise<Vouched | undefined> {
    return this.#vouched(username, watch, async () => {})
  }

  #vouched(
    username: string,
    watch: Watch,
    check: (server: DirectoryServer, signal: AbortSignal, entry: DirectoryEntry) => Promise<void>,
  ): Promise<Vouched | undefined> {
    return this.#permits.run(() =>
      this.#servers.ask((server, signal) => {
        watch('connection', `${server.host}:${server.port} (${server.tls})`)
        return this.#searching(server, { signal }, async connection => {
          watch('entry')
          const entry = await this.find(connection, username)
          if (!entry) return undefined
          watch('entry', entry.dn)
          await check(server, signal, entry)
          watch('groups')
          return { entry, groups: await this.groups(connection, server, entry) }
        })
      }, SIGN_IN),
    )
  }

  /** Works with a connection that may search, for as long as a comparison may take. @throws DirectoryError */
  work<T>(act: (connection: DirectoryConnection, server: DirectoryServer) => Promise<T>): Promise<T> {
    const how = { timeout: LIMITS.directorySyncAnswer }
    return this.#servers.ask(
      (server, signal) => this.#searching(server, { ...how, signal }, connection => act(connection, server)),
      { all: LIMITS.directorySync, each: LIMITS.directorySync },
    )
  }

  /** All entries that can sign in. @throws DirectoryError `unusable` when there are too many */
  async findAll(connection: DirectoryConnection): Promise<DirectoryEntry[]> {
    const { base, filter } = this.settings
    const most = LIMITS.directoryEntries
    const any = filter.replaceAll('{username}', '*')
    const found = await connection.search(base, { filter: any, attributes: this.attributes(), most })
    if (found.length > most) throw new DirectoryError('unusable', `there are more than ${most} entries`)
    return found
  }

  /** Tries whether a server lets the searching account in, and has the base. @throws DirectoryError */
  probe(): Promise<void> {
    const asked = { filter: '(objectClass=*)', scope: 'base', attributes: ['objectClass'], most: 1 } as const
    return this.#servers.ask(
      (server, signal) =>
        this.#searching(server, { signal }, async connection => {
          await connection.search(this.settings.base, asked)
        }),
      SIGN_IN,
    )
  }

  /** The entry of a name. @throws DirectoryError `ambiguous` when several have it */
  async find(connection: DirectoryConnection, username: string): Promise<DirectoryEntry | undefined> {
    const { base, filter } = this.settings
    const most = 1
    const found = await connection.search(base, {
      filter: filled(filter, { username }),
      attributes: this.attributes(),
      most,
    })
    if (found.length > most) throw new DirectoryError('ambiguous', 'several entries have the name')
    return found[0]
  }

  groups(connection: DirectoryConnection, server: DirectoryServer, entry: DirectoryEntry): Promise<FoundGroups> {
    return groupsOf(connection, this.settings, entry, () => this.#abilitiesOf(connection, server))
  }

  /** What is read of an entry. */
  attributes(): string[] {
    const { subjectAttribute, usernameAttribute, groups, homeTemplate } = this.settings
    const subjects = subjectAttribute === '' ? SUBJECTS : [subjectAttribute]
    const ofGroups = groups === 'off' ? [] : ['memberOf', 'objectSid', 'primaryGroupID']
    return [...new Set([...subjects, usernameAttribute, ...namesIn(homeTemplate), ...ofGroups, ...CLOSING])]
  }

  async #searching<T>(
    server: DirectoryServer,
    how: { signal: AbortSignal; timeout?: number },
    act: (connection: DirectoryConnection) => Promise<T>,
  ): Promise<T> {
    const { bindDn, bindPassword } = this.settings
    const connection = await DirectoryConnection.open(server, this.settings, how)
    try {
      if (bindDn !== '') await connection.bind(bindDn, bindPassword).catch(asOurs)
      return await act(connection)
    } finally {
      connection.close()
    }
  }

  async #abilitiesOf(connection: DirectoryConnection, server: DirectoryServer): Promise<Abilities> {
    const known = this.#abilities.get(server)
    if (known && known.until > Date.now()) return known.abilities
    const abilities = await abilitiesOf(connection)
    this.#abilities.set(server, { abilities, until: Date.now() + ABILITIES_FOR })
    return abilities
  }
}

/** A wrong password of the searching account is no wrong password of a user. */
function asOurs(error: unknown): never {
  if (!(error instanceof DirectoryError) || error.fault !== 'refused') throw error
  throw new DirectoryError('unusable', 'the directory refuses bindDn and its password', { cause: error })
}
