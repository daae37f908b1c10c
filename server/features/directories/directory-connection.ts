import type { Client } from 'ldapts'
import { LIMITS } from '../../limits.ts'
import { openConnection } from './connection.ts'
import { DirectoryError, directoryError } from './directory-error.ts'
import type { DirectoryServer, DirectorySettings } from './directory-settings.ts'
import { BYTES, DirectoryEntry } from './entry.ts'

export interface SearchOptions {
  filter: string
  attributes: readonly string[]
  scope?: 'base' | 'sub'
  /** Entries at most: further ones are not asked for. */
  most: number
}

/**
 * One connection to a server of a directory. It is never opened a second time: the library would do so without TLS
 * where that began with StartTLS.
 */
export class DirectoryConnection {
  readonly #client: Client
  readonly #timeout: number

  private constructor(client: Client, timeout: number) {
    this.#client = client
    this.#timeout = timeout
  }

  /**
   * @param signal ends it, also later
   * @param timeout for each answer
   * @throws DirectoryError `away`
   */
  static async open(
    server: DirectoryServer,
    settings: Pick<DirectorySettings, 'ca'>,
    { signal, timeout = LIMITS.directoryAnswer }: { signal: AbortSignal; timeout?: number },
  ): Promise<DirectoryConnection> {
    try {
      const socket = await openConnection(server, settings, signal)
      const { Client } = await import('ldapts')
      let isUsed = false
      const createConnection = () => {
        if (isUsed || socket.destroyed) throw new Error('the connection has ended')
        isUsed = true
        return socket
      }
      // The socket is there, encrypted: the library gets an address that makes it ask for nothing else.
      const client = new Client({ url: 'ldap://directory', timeout, createConnection })
      return new DirectoryConnection(client, timeout)
    } catch (error) {
      const where = `${server.host}:${server.port}`
      throw new DirectoryError('away', `${where} cannot be reached: ${reasonOf(error)}`, { cause: error })
    }
  }

  /** Signs in. @param password not empty: that would be an anonymous sign-in @throws DirectoryError */
  async bind(dn: string, password: string): Promise<void> {
    if (password === '') throw new DirectoryError('refused', 'the password is empty')
    await this.#client.bind(dn, password).catch(failed('the sign-in at the server'))
  }

  /**
   * Entries below a base, in pages. References to other servers are not followed.
   * @throws DirectoryError `unusable` when there are more than `most`
   */
  async search(base: string, { filter, attributes, scope = 'sub', most }: SearchOptions): Promise<DirectoryEntry[]> {
    const found: DirectoryEntry[] = []
    try {
      const pages = this.#client.searchPaginated(base, {
        filter,
        scope,
        attributes: [...attributes],
        explicitBufferAttributes: BYTES,
        paged: { pageSize: Math.min(most + 1, LIMITS.directoryPage) },
        timeLimit: Math.ceil(this.#timeout / 1000),
      })
      for await (const { searchEntries } of pages) {
        found.push(...searchEntries.map(entry => new DirectoryEntry(entry)))
        if (found.length > most) break
      }
    } catch (error) {
      throw directoryError(error, `the search below ${base}`)
    }
    return found
  }

  /** Ends it, without waiting for the server. */
  close(): void {
    void this.#client.unbind().catch(() => {})
  }
}

const failed = (doing: string) => (error: unknown) => {
  throw directoryError(error, doing)
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return [code, message].filter(part => typeof part === 'string').join(' ')
}
