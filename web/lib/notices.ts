import { ACTION_NOTICE_TIMEOUT, NOTICE_TIMEOUT } from '../../shared/limits.ts'
import { createStore, useStore } from './store.ts'

export type NoticeKind = 'success' | 'info' | 'error'

export interface NoticeAction {
  label: string
  run(): void
}

export interface Notice {
  id: number
  kind: NoticeKind
  text: string
  action: NoticeAction | undefined
  /** Milliseconds it stays; `Infinity` for errors, which wait to be closed (specification section 4). */
  timeout: number
  /** For work under way: how much of it is done, between 0 and 1. */
  progress: number | undefined
}

const MAX_NOTICES = 4
const store = createStore<readonly Notice[]>([])
let lastId = 0

/** Shows a notice and answers its id. */
export function notify(kind: NoticeKind, text: string, action?: NoticeAction): number {
  lastId += 1
  const timeout = kind === 'error' ? Number.POSITIVE_INFINITY : action ? ACTION_NOTICE_TIMEOUT : NOTICE_TIMEOUT
  const notice: Notice = { id: lastId, kind, text, action, timeout, progress: undefined }
  store.set(newest([...store.get().filter(other => other.text !== text), notice]))
  return notice.id
}

/** Only so many, but what tells of work under way stays. */
function newest(notices: readonly Notice[]): readonly Notice[] {
  const passing = notices.filter(notice => notice.progress === undefined).slice(-MAX_NOTICES)
  return notices.filter(notice => notice.progress !== undefined || passing.includes(notice))
}

/** Work under way that somebody is told of. */
export interface ProgressNotice {
  /** @param progress between 0 and 1 */
  update(text: string, progress: number): void
  end(): void
}

/** Shows that something is being done, until it is ended. */
export function notifyProgress(text: string, action: NoticeAction): ProgressNotice {
  lastId += 1
  const id = lastId
  const show = (now: string, progress: number) => {
    const notice: Notice = { id, kind: 'info', text: now, action, timeout: Number.POSITIVE_INFINITY, progress }
    store.set([...store.get().filter(other => other.id !== id), notice])
  }
  show(text, 0)
  return { update: show, end: () => dismissNotice(id) }
}

export function dismissNotice(id: number): void {
  store.set(store.get().filter(notice => notice.id !== id))
}

export function useNotices(): readonly Notice[] {
  return useStore(store)
}
