import { nameOf, parsePath } from '../../../shared/path.ts'
import { databaseOf } from '../../lib/database.ts'
import { createStore } from '../../lib/store.ts'
import type { Decision } from '../files/operations/conflicts/conflict.ts'
import type { UploadJob } from './job.ts'
import { leftUploads } from './left-uploads.ts'
import type { NewJob } from './queue.ts'
import type { Chosen } from './walk.ts'

/** The stored state of an upload, for resuming it after the page was left. */
export interface Interrupted {
  key: string
  user: number
  path: string
  isDir: boolean
  /** Of the file, to recognise it when it is chosen again. */
  size: number
  modified: number
  begun: boolean
  copy: number
  decision: Decision | undefined
}

const { read, write } = databaseOf('filigree-uploads', 'uploads')
/** Key prefix unique to this page's uploads. */
const PAGE = `${Date.now()}-${Math.random().toString(36).slice(2)}`
/** Debounce of writes in milliseconds. */
const GATHER = 500
/** Milliseconds after which the server has dropped a partial upload. */
const SERVER_EXPIRY = 24 * 3_600_000

const CHANNEL = 'filigree-uploads'
/** The query broadcast to other pages. */
const WHO = { who: true }
/** Milliseconds to wait for other pages' responses. */
const ANSWER_WITHIN = 300

/** Unfinished uploads of an earlier page. */
export const interruptedStore = createStore<readonly Interrupted[]>([])

/** Finds the uploads that an earlier page of this user has left. */
export async function findInterrupted(user: number): Promise<void> {
  const all = ((await read(store => store.getAll())) as Interrupted[] | undefined) ?? []
  leftUploads.choose(all.length > 0 ? 'yes' : 'no')
  if (all.length === 0) return
  const pages = [PAGE, ...(await otherPages())]
  const isLeft = ({ key }: Interrupted) => !isOld(key) && !pages.some(page => key.startsWith(page))
  interruptedStore.set(all.filter(left => left.user === user && isLeft(left)))
  const old = all.filter(({ key }) => isOld(key))
  if (old.length > 0) await remove(old)
}

/** Pages of other tabs continue their uploads themselves. */
async function otherPages(): Promise<string[]> {
  const pages: string[] = []
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    if (typeof data === 'string') pages.push(data)
  }
  channel.postMessage(WHO)
  await new Promise(resolve => setTimeout(resolve, ANSWER_WITHIN))
  channel.close()
  return pages
}

const isOld = (key: string) => Number.parseInt(key, 10) < Date.now() - SERVER_EXPIRY

/** Jobs for interrupted uploads whose files were chosen again. The others stay interrupted. */
export async function resumedJobs({ items }: Chosen): Promise<NewJob[]> {
  const files = new Map(
    items.flatMap(({ file }) => (file ? [[identify(file.name, file.size, file.lastModified), file]] : [])),
  )
  const jobs: NewJob[] = []
  const taken: Interrupted[] = []
  for (const left of interruptedStore.get()) {
    const path = parsePath(left.path)
    const file = left.isDir ? undefined : files.get(identify(nameOf(path), left.size, left.modified))
    if (!file && !left.isDir) continue
    const { begun, copy, decision } = left
    jobs.push({ path, file, existing: undefined, known: { begun, copy, decision } })
    taken.push(left)
  }
  interruptedStore.set(interruptedStore.get().filter(left => !taken.includes(left)))
  await remove(taken)
  return jobs
}

/** Discards interrupted uploads. @param discard removes one from the server */
export async function discardInterrupted(discard: (left: Interrupted) => Promise<void>): Promise<void> {
  const all = interruptedStore.get()
  interruptedStore.set([])
  await remove(all)
  await Promise.allSettled(all.filter(({ begun }) => begun).map(discard))
}

const identify = (name: string, size: number, modified: number) => `${size}:${modified}:${name}`

async function remove(all: readonly Interrupted[]): Promise<void> {
  await write(store => {
    for (const { key } of all) store.delete(key)
  })
}

/** Stores the queue, and deletes what has left it. */
export class QueueStorage {
  readonly #user: () => number | undefined
  #kept = new Map<string, UploadJob>()
  #latest: readonly UploadJob[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(user: () => number | undefined) {
    this.#user = user
    const channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data }) => {
      if (typeof data === 'object') channel.postMessage(PAGE)
    }
  }

  note(jobs: readonly UploadJob[]): void {
    this.#latest = jobs
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, GATHER)
  }

  async flush(): Promise<void> {
    const user = this.#user()
    const before = this.#kept
    this.#kept = new Map(this.#latest.map(job => [job.id, job]))
    const changed = this.#latest.filter(job => !isKept(before.get(job.id), job))
    const gone = [...before.keys()].filter(id => !this.#kept.has(id))
    if (user === undefined || changed.length + gone.length === 0) return
    await write(store => {
      for (const job of changed) store.put(recordOf(job, user), keyOf(job.id))
      for (const id of gone) store.delete(keyOf(id))
    })
    leftUploads.choose(this.#kept.size + interruptedStore.get().length > 0 ? 'yes' : 'no')
  }
}

const keyOf = (id: string) => `${PAGE}-${id}`

/** The server knows the progress. */
function isKept(before: UploadJob | undefined, { begun, copy, decision }: UploadJob): boolean {
  return before?.begun === begun && before.copy === copy && before.decision === decision
}

function recordOf({ id, path, file, size, begun, copy, decision }: UploadJob, user: number): Interrupted {
  const known = { begun, copy, decision }
  return { key: keyOf(id), user, path, isDir: !file, size, modified: file?.lastModified ?? 0, ...known }
}
