import { PassThrough, type Readable } from 'node:stream'
import type { User } from '../../../shared/api/users.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/service.ts'
import { findJob } from '../../jobs/jobs.store.ts'
import type { Jobs } from '../../jobs/jobs.ts'
import { summarize } from '../../jobs/summary.ts'
import { LIMITS } from '../../limits.ts'
import type { Caller } from '../../routing/route.ts'
import { findSession } from '../auth/sessions.store.ts'
import { findUser } from '../users/users.store.ts'
import { type SeenFolder, tellFolder } from './folder.ts'

/** Streams of one user at a time: tabs and devices. */
const MAX_OF_USER = LIMITS.eventStreams
/**
 * Milliseconds between two looks whether a stream may go on: a session or a right may end without a word, as by a command. Each
 * also keeps the connection from looking idle, to proxies that wait for no more than five seconds.
 */
const LOOK_EVERY = 4000
/** Bytes that may wait for a slow reader before the stream is ended; a new one begins with the present state. */
const MOST_WAITING = 1024 * 1024

export interface StreamDeps {
  db: Db
  cluster: Cluster
  jobs: Jobs
  files: FilesService
  /** Aborted when the server stops. */
  stopping: AbortController
}

/**
 * Events for one caller, until the client goes, the session ends, or the user may see other things: a new stream then tells
 * of those, or is refused. Before each change of the folder that is asked again, so that none is told too late.
 * @param streams how many each user has
 * @param folder whose changes are told, too
 * @throws AppError `too_many_attempts`; not_found, not_a_folder, forbidden
 */
export async function openStream(
  deps: StreamDeps,
  streams: Map<number, number>,
  caller: Caller,
  gone: AbortSignal,
  folder: SeenFolder | undefined,
): Promise<Readable> {
  const leave = enter(streams, caller.user.id)
  const out = new PassThrough()
  out.once('close', leave)
  const send = (text: string) => {
    if (out.writableLength > MOST_WAITING) out.destroy()
    else if (out.writable) out.write(text)
  }
  const end = () => out.end()
  const places: FilePath[] = folder ? [folder.path] : []
  const sendIfAllowed = async (text: string) => ((await mayGoOn(deps, caller, places)) ? send(text) : end())
  try {
    const tell = () => void sendIfAllowed(event('folder', { path: folder?.path }))
    const watched = folder && (await tellFolder(deps.files, caller.user, folder, tell))
    out.once('close', () => watched?.end())
    if (watched) places.push(watched.canonical)
  } catch (thrown) {
    out.destroy()
    throw thrown
  }
  out.once('close', tellJobs(deps, caller.user.id, send))
  out.once(
    'close',
    lookWhenever(deps, caller.user.id, () => void sendIfAllowed(':\n\n')),
  )
  // A new one begins with the present state.
  out.once('close', deps.cluster.subscribe('messages.missed', end))
  deps.stopping.signal.addEventListener('abort', end, { once: true })
  out.once('close', () => deps.stopping.signal.removeEventListener('abort', end))
  if (gone.aborted) out.destroy()
  gone.addEventListener('abort', () => out.destroy(), { once: true })
  send('retry: 3000\n\n')
  return out
}

/** Counts one stream more, at once: whoever asks meanwhile must see it. @returns counts one less @throws too_many_attempts */
function enter(streams: Map<number, number>, userId: number): () => void {
  const own = streams.get(userId) ?? 0
  if (own >= MAX_OF_USER) throw new AppError('too_many_attempts')
  streams.set(userId, own + 1)
  return () => streams.set(userId, (streams.get(userId) ?? 1) - 1)
}

/** Whether what a stream was opened with still holds. Nothing is looked up on a disk, which could keep it waiting. */
async function mayGoOn({ db, files }: StreamDeps, { user, sessionId }: Caller, places: readonly FilePath[]) {
  try {
    const session = await findSession(db, sessionId)
    if (!session || session.expires_at <= Date.now()) return false
    const now = await findUser(db, user.id)
    return now !== undefined && rightsOf(now) === rightsOf(user) && (await files.sees(now, places))
  } catch {
    return false
  }
}

const rightsOf = ({ scope, perm, rules, hideDotfiles }: User) => JSON.stringify([scope, perm, rules, hideDotfiles])

/** Calls `look` at once when a session, a user or a rule changed, and every now and then. @returns ends it */
function lookWhenever({ cluster }: StreamDeps, userId: number, look: () => void): () => void {
  const timer = setInterval(look, LOOK_EVERY)
  const unsubscribe = [
    cluster.subscribe('session.ended', ended => ended.userId === userId && look()),
    cluster.subscribe('user.changed', ({ id }) => id === userId && look()),
    cluster.subscribe('settings.changed', look),
  ]
  return () => {
    clearInterval(timer)
    for (const end of unsubscribe) end()
  }
}

/** Tells of one user's jobs as they are when they change. @returns ends it */
function tellJobs(deps: StreamDeps, userId: number, send: (text: string) => void): () => void {
  return deps.cluster.subscribe('job.changed', changed => {
    if (changed.userId !== userId) return
    void findJob(deps.db, changed.id)
      .then(async job => send(job ? event('job', await summarize(deps, job)) : event('gone', { id: changed.id })))
      .catch(() => {})
  })
}

/** One event of the HTML standard, section 9.2. */
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
