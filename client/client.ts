import { FiligreeError } from './error.ts'
import { type EventOptions, type FiligreeEvent, follow } from './events.ts'
import { Files } from './files.ts'
import { at, atFolder, type ConnectOptions, Http, pause } from './http.ts'
import { linesOf } from './lines.ts'
import type { Answers, Bodies, Job, SearchHit, ShareLink } from './types.gen.ts'

export interface SearchOptions {
  /** With size and modification time of each hit. */
  details?: boolean
  signal?: AbortSignal
}

/** A server with the credentials of one account. */
export class Client {
  readonly files: Files
  readonly shares: Shares
  readonly trash: Trash
  readonly jobs: Jobs
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
    this.files = new Files(http)
    this.shares = new Shares(http)
    this.trash = new Trash(http)
    this.jobs = new Jobs(http)
  }

  /** Hits below a folder, as they are found. Leaving the loop ends the search. */
  async *search(folder: string, query: string, { details, signal }: SearchOptions = {}): AsyncGenerator<SearchHit> {
    const call = { query: { query, details }, accept: 'application/x-ndjson', signal }
    const response = await this.#http.call(atFolder('/api/search', folder), call)
    for await (const line of linesOf(response)) {
      const found: SearchHit | object = line.trim() === '' ? {} : JSON.parse(line)
      if ('path' in found) yield found
    }
  }

  /** Events of jobs, the trash and a folder, until the signal fires. */
  events(options: EventOptions = {}): AsyncGenerator<FiligreeEvent> {
    return follow(this.#http, options)
  }

  /** What this API token may do. @throws FiligreeError `not_found` for a session token */
  token(): Promise<Answers['GET /api/tokens/self']> {
    return this.#http.json('/api/tokens/self')
  }

  /** Ends the session; an API token stays. */
  async signOut(): Promise<void> {
    await this.#http.act('/api/logout', { method: 'POST' })
  }
}

/** A new link; it never ends unless `expires` is given. */
export type NewShare = NonNullable<Bodies['POST /api/share/{path}']>

/** Share links. */
class Shares {
  readonly #http: Http
  constructor(http: Http) {
    this.#http = http
  }

  create(path: string, share: NewShare = {}): Promise<ShareLink> {
    return this.#http.json(at('/api/share', path), { method: 'POST', json: share })
  }

  /** Links to a path, or all of the account. */
  list(path?: string): Promise<ShareLink[]> {
    return this.#http.json(path === undefined ? '/api/shares' : at('/api/share', path))
  }

  change(hash: string, change: Bodies['PATCH /api/links/{hash}']): Promise<ShareLink> {
    return this.#http.json(`/api/links/${encodeURIComponent(hash)}`, { method: 'PATCH', json: change })
  }

  async remove(hash: string): Promise<void> {
    await this.#http.act(`/api/share/${encodeURIComponent(hash)}`, { method: 'DELETE' })
  }
}

/** Deleted items. */
class Trash {
  readonly #http: Http
  constructor(http: Http) {
    this.#http = http
  }

  /** A page of them, the newest first. @param before the id of the last item of the page before */
  list(before?: string): Promise<Answers['GET /api/trash']> {
    return this.#http.json('/api/trash', { query: { before } })
  }

  /** Restores items to their places; where a name is taken, another one is chosen. */
  restore(...ids: string[]): Promise<Answers['POST /api/trash/restore']> {
    return this.#http.json('/api/trash/restore', { method: 'POST', json: { items: ids.map(id => ({ id })) } })
  }
}

/** Milliseconds between two polls of a job. */
const LOOK = 500

/** Work that outlives a request: copies, moves, deletions, archives. */
class Jobs {
  readonly #http: Http
  constructor(http: Http) {
    this.#http = http
  }

  start(job: Bodies['POST /api/jobs']): Promise<Job> {
    return this.#http.json('/api/jobs', { method: 'POST', json: job })
  }

  get(id: string): Promise<Job> {
    return this.#http.json(`/api/jobs/${encodeURIComponent(id)}`)
  }

  cancel(id: string): Promise<Job> {
    return this.#http.json(`/api/jobs/${encodeURIComponent(id)}/cancel`, { method: 'POST' })
  }

  /** A job when it has ended; short ones have when they are started, and are not kept. */
  async wait(started: Job, signal?: AbortSignal): Promise<Job> {
    let job = started
    while (job.state !== 'done' && job.state !== 'cancelled') {
      await pause(LOOK, signal)
      job = await this.get(job.id)
    }
    return job
  }
}

/** A client with a token. */
export const createClient = (options: ConnectOptions): Client => new Client(new Http(options))

export interface SignIn extends Omit<ConnectOptions, 'token'> {
  username: string
  password: string
  /** A code of an authenticator app, or a recovery code. */
  otp?: string
}

/** A client with a session, which is renewed as long as it is used. @throws FiligreeError `second_factor_required` */
export async function signIn({ username, password, otp, ...options }: SignIn): Promise<Client> {
  const json = { username, password, ...(otp === undefined ? {} : { otp }) }
  const response = await new Http(options).call('/api/login', { method: 'POST', json, accept: 'text/plain' })
  const token = await response.text()
  if (token === '') throw new FiligreeError({ status: 502, code: undefined })
  return createClient({ ...options, token })
}
