import { PassThrough, type Readable } from 'node:stream'
import type { User } from '../../../shared/api/users.ts'
import { type FilePath, isWithin, parentOf, ROOT } from '../../../shared/path.ts'
import { isInOtherRoot } from '../../../shared/places.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db, JobsTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Actor } from '../../files/policy.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { findJob, isOwnJob } from '../../jobs/jobs.store.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { summarize } from '../../jobs/summary.ts'
import { LIMITS } from '../../limits.ts'
import type { Caller } from '../../routing/route.ts'
import type { Sessions } from '../auth/sessions.ts'
import { announceChanges } from './changes.ts'
import { announceFactors } from './factors.ts'
import { announceFolder, type SeenFolder } from './folder.ts'
import { announcePlaces } from './places.ts'

/** Concurrent streams of one user: tabs and devices. */
const MAX_OF_USER = LIMITS.eventStreams
/**
 * Milliseconds between two checks whether a stream may continue: a session or a right may end without an event, as by a
 * command. Each sends a comment, which keeps proxies with a timeout of five seconds from closing the connection.
 */
const CHECK_EVERY = 4000
/** Milliseconds in which announcements are collected. */
const CHANGES_EVERY = 200
/** Bytes buffered for a slow client above which the stream ends; a new one begins with the present state. */
const MOST_WAITING = 1024 * 1024

export interface StreamDeps {
  db: Db
  cluster: Cluster
  jobs: Jobs
  files: FilesService
  sessions: Pick<Sessions, 'userOf'>
  /** Aborted when the server stops. */
  stopping: AbortController
}

/** What a client is notified of in addition to its own jobs and changes. */
export interface StreamOptions {
  folder?: SeenFolder | undefined
  /** Also changes of others, as far as the caller may see them. */
  others?: boolean
}

/**
 * Events for one caller, until the client disconnects, the session ends, or the user's rights change: a new stream then
 * reflects those, or is refused. Access is checked again before each change of the folder, so that no event is sent
 * after it was lost.
 * @param streams the number of streams by user
 * @throws AppError `too_many_attempts`; not_found, not_a_folder, forbidden
 */
export async function openStream(
  deps: StreamDeps,
  streams: Map<number, number>,
  caller: Caller,
  gone: AbortSignal,
  { folder, others = false }: StreamOptions,
): Promise<Readable> {
  const ends = [countStream(streams, caller.user.id)]
  const out = new PassThrough()
  out.once('close', () => {
    for (const end of ends) end()
  })
  const send = (text: string) => {
    if (out.writableLength > MOST_WAITING) out.destroy()
    else if (out.writable) out.write(text)
  }
  const end = () => out.end()
  const places: FilePath[] = folder ? [folder.path] : []
  const sendIfAllowed = async (text: string) => ((await mayContinue(deps, caller, places)) ? send(text) : end())
  try {
    const announce = () => void sendIfAllowed(event('folder', { path: folder?.path }))
    const watched = folder && (await announceFolder(deps.files, caller.user, folder, announce))
    if (watched) {
      ends.push(() => watched.end())
      places.push(watched.canonical)
      const place = await deps.files.placeOf(caller.user, watched.canonical)
      const announceAs = (name: string) => () => void sendIfAllowed(event(name, { path: folder?.path }))
      ends.push(
        announceAbout(deps, 'locks.changed', place, announceAs('lock')),
        announceAbout(deps, 'remarks.changed', place, announceAs('remarks')),
      )
    }
  } catch (thrown) {
    out.destroy()
    throw thrown
  }
  const announceChange = (id: string) => send(event('change', { id }))
  const nextEnd = async () => (await deps.sessions.userOf(caller.user.id, caller.sessionId))?.until
  // First of all: the stream may end with what has ended.
  const announcePlace = () => {
    send(event('places', {}))
    void sendIfAllowed(':\n\n')
  }
  deps.stopping.signal.addEventListener('abort', end, { once: true })
  ends.push(
    announceJobs(deps, caller, send),
    announceChanges(deps, caller.user, { others, announce: announceChange }),
    announceTrash(deps, caller.user, send),
    announceFactors(deps, caller.user.id, () => send(event('factors', {}))),
    announcePlaces({ cluster: deps.cluster, nextEnd }, caller.user.id, announcePlace),
    deps.cluster.subscribe('quotas.changed', () => send(event('quota', {}))),
    recheckOnChange(deps, caller.user.id, () => void sendIfAllowed(':\n\n')),
    // A new one begins with the present state.
    deps.cluster.subscribe('messages.missed', end),
    () => deps.stopping.signal.removeEventListener('abort', end),
  )
  if (gone.aborted) out.destroy()
  gone.addEventListener('abort', () => out.destroy(), { once: true })
  send('retry: 3000\n\n')
  return out
}

/**
 * Counts one more stream, synchronously, so that concurrent requests see it. @returns counts one less @throws
 * too_many_attempts
 */
function countStream(streams: Map<number, number>, userId: number): () => void {
  const own = streams.get(userId) ?? 0
  if (own >= MAX_OF_USER) throw new AppError('too_many_attempts')
  streams.set(userId, own + 1)
  return () => streams.set(userId, (streams.get(userId) ?? 1) - 1)
}

/** Whether the caller may still have what the stream was opened with. It touches no disk, which could block. */
async function mayContinue({ sessions, files }: StreamDeps, { user, sessionId }: Caller, places: readonly FilePath[]) {
  try {
    const now = await sessions.userOf(user.id, sessionId)
    return now !== undefined && rightsOf(now) === rightsOf(user) && (await files.sees(now, places))
  } catch {
    return false
  }
}

/** What others share is not part of it. */
const rightsOf = ({ scope, perm, rules, hideDotfiles, mounts, hasHome }: User & Pick<Actor, 'mounts' | 'hasHome'>) =>
  JSON.stringify([scope, perm, rules, hideDotfiles, mounts, hasHome])

/** Calls `recheck` at once when a session, a user or a rule changed, and at intervals. @returns stops it */
function recheckOnChange({ cluster }: StreamDeps, userId: number, recheck: () => void): () => void {
  const timer = setInterval(recheck, CHECK_EVERY)
  const unsubscribe = [
    cluster.subscribe('session.ended', ended => ended.userId === userId && recheck()),
    cluster.subscribe('user.changed', ({ id }) => id === userId && recheck()),
    cluster.subscribe('access.changed', recheck),
    cluster.subscribe('settings.changed', recheck),
  ]
  return () => {
    clearInterval(timer)
    for (const end of unsubscribe) end()
  }
}

/** Announces the state of one user's jobs, as far as the caller may know them, when they change. @returns stops it */
function announceJobs(deps: StreamDeps, caller: Caller, send: (text: string) => void): () => void {
  const announce = async (job: JobsTable) => {
    if (!isOwnJob(job, caller)) return
    send(event('job', await summarize(deps, job)))
    deps.jobs.seen(job)
  }
  // In order: of two states of a job, the later one is read and sent last.
  let sent = Promise.resolve()
  return deps.cluster.subscribe('job.changed', ({ id, userId }) => {
    if (userId !== caller.user.id) return
    sent = sent
      .then(() => findJob(deps.db, id))
      .then(job => (job ? announce(job) : send(event('gone', { id }))))
      .catch(() => {})
  })
}

/** Announces messages about what is in a folder, or about the folder itself. @returns stops it */
function announceAbout(
  { cluster }: StreamDeps,
  message: 'locks.changed' | 'remarks.changed',
  folder: FilePath,
  announce: () => void,
): () => void {
  return cluster.subscribe(message, ({ place }) => {
    if (parentOf(place) === folder || isWithin(folder, place)) announce()
  })
}

/** Announces that things came into the trash, or left it, that the user may see. @returns stops it */
function announceTrash(
  { cluster, files }: StreamDeps,
  user: User & Pick<Actor, 'mounts'>,
  send: (text: string) => void,
): () => void {
  const scope = scopeFolder(user.scope)
  let timer: NodeJS.Timeout | undefined
  let asks = false
  const announce = () => {
    timer = undefined
    send(event('trash', {}))
  }
  const announceIfSeen = async (place: FilePath) => {
    asks = true
    const path = (scope === ROOT ? place : place.slice(scope.length) || ROOT) as FilePath
    const sees = isInOtherRoot(place) ? files.seesPlace(user, place) : files.sees(user, [path])
    if (await sees.catch(() => false)) timer ??= setTimeout(announce, CHANGES_EVERY)
    asks = false
  }
  const unsubscribe = cluster.subscribe('trash.changed', ({ place }) => {
    const isKnown = isWithin(place, scope) || (user.mounts && isInOtherRoot(place))
    if (!timer && !asks && isKnown) void announceIfSeen(place)
  })
  return () => {
    clearTimeout(timer)
    unsubscribe()
  }
}

/** One event of the HTML standard, section 9.2. */
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
