import { nameOf, parsePath } from '../../../shared/path.ts'
import { databaseOf } from '../../lib/database.ts'
import type { Decision } from '../../lib/prompts.ts'
import { createStore } from '../../lib/store.ts'
import type { UploadJob } from './job.ts'
import type { NewJob } from './queue.ts'
import type { Chosen } from './walk.ts'

/** What is kept of an upload in the browser, so that it can go on after the page was left. */
export interface Interrupted {
  key: string
  user: number
  path: string
  isDir: boolean
  /** Of the file, by which it is known again when it is chosen. */
  size: number
  modified: number
  begun: boolean
  copy: number
  decision: Decision | undefined
}

const { read, write } = databaseOf('filigree-uploads', 'uploads')
/** Keys of this page's uploads begin so, and of no other's. */
const PAGE = `${Date.now()}-${Math.random().toString(36).slice(2)}`
/** Milliseconds changes are gathered for. */
const GATHER = 500
/** Milliseconds after which the server has forgotten what it had of an upload. */
const FORGOTTEN = 24 * 3_600_000

const CHANNEL = 'filigree-uploads'
/** What a page asks the others. */
const WHO = { who: true }
/** Milliseconds other pages are given to answer. */
const ANSWER_WITHIN = 300

/** Uploads of an earlier page that have not ended. */
export const interruptedStore = createStore<readonly Interrupted[]>([])

/** Looks for uploads that an earlier page of this user has left. */
export async function findInterrupted(user: number): Promise<void> {
  const all = ((await read(store => store.getAll())) as Interrupted[] | undefined) ?? []
  if (all.length === 0) return
  const pages = [PAGE, ...(await otherPages())]
  const isLeft = ({ key }: Interrupted) => !isOld(key) && !pages.some(page => key.startsWith(page))
  interruptedStore.set(all.filter(left => left.user === user && isLeft(left)))
  const old = all.filter(({ key }) => isOld(key))
  if (old.length > 0) await remove(old)
}

/** Pages of other tabs, which go on with their uploads themselves. */
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

const isOld = (key: string) => Number.parseInt(key, 10) < Date.now() - FORGOTTEN

/** Jobs for what is left, made of the files as they were chosen again. Those that are not among them stay left. */
export async function takeUp({ items }: Chosen): Promise<NewJob[]> {
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

/** Gives up what is left. @param discard removes what the server has of one */
export async function giveUp(discard: (left: Interrupted) => Promise<void>): Promise<void> {
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

/** Keeps what is in the queue, and forgets what has left it. */
export class Keeper {
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
  }
}

const keyOf = (id: string) => `${PAGE}-${id}`

/** Progress is the server's to know. */
function isKept(before: UploadJob | undefined, { begun, copy, decision }: UploadJob): boolean {
  return before?.begun === begun && before.copy === copy && before.decision === decision
}

function recordOf({ id, path, file, size, begun, copy, decision }: UploadJob, user: number): Interrupted {
  const known = { begun, copy, decision }
  return { key: keyOf(id), user, path, isDir: !file, size, modified: file?.lastModified ?? 0, ...known }
}
