import { ACTION_NOTICE_TIMEOUT, NOTICE_TIME_PER_CHARACTER, NOTICE_TIMEOUT } from '../../shared/limits.ts'
import { createStore, useStore } from './store.ts'

export type NoticeKind = 'success' | 'info' | 'error'

export interface NoticeAction {
  label: string
  run(): void
  /** The ids of the changes that it undoes. */
  undoes?: readonly string[]
}

export interface Notice {
  id: number
  kind: NoticeKind
  text: string
  actions: readonly NoticeAction[]
  /** Milliseconds it stays; `Infinity` for errors, which stay until closed. */
  timeout: number
  /** Milliseconds since the epoch. */
  at: number
}

const MAX_NOTICES = 4
/** Number of notices kept in the log. */
const MAX_LOGGED = 20
const store = createStore<readonly Notice[]>([])
const logStore = createStore<readonly Notice[]>([])
let lastId = 0

/** Shows a notice. @returns its id */
export function notify(kind: NoticeKind, text: string, ...actions: readonly NoticeAction[]): number {
  lastId += 1
  const notice: Notice = { id: lastId, kind, text, actions, timeout: timeoutOf(kind, text, actions), at: Date.now() }
  store.set(fitting([...store.get().filter(other => other.text !== text), notice]))
  logStore.set([notice, ...logStore.get()].slice(0, MAX_LOGGED))
  return notice.id
}

/** Long enough to read. */
function timeoutOf(kind: NoticeKind, text: string, actions: readonly NoticeAction[]): number {
  if (kind === 'error') return Number.POSITIVE_INFINITY
  return Math.max(
    NOTICE_TIMEOUT + NOTICE_TIME_PER_CHARACTER * text.length,
    actions.length > 0 ? ACTION_NOTICE_TIMEOUT : 0,
  )
}

/** Drops the oldest when there are too many; a confirmation never displaces an error. */
function fitting(notices: readonly Notice[]): readonly Notice[] {
  if (notices.length <= MAX_NOTICES) return notices
  const gone = notices.find(notice => notice.kind !== 'error') ?? notices[0]
  return notices.filter(notice => notice !== gone)
}

export function dismissNotice(id: number): void {
  store.set(store.get().filter(notice => notice.id !== id))
}

/** Closes the notices that offer to undo a change. */
export function dismissUndone(change: string): void {
  store.set(store.get().filter(({ actions }) => !actions.some(({ undoes }) => undoes?.includes(change))))
}

/** The changes that each open notice offers to undo. */
export const openOffers = (): readonly { id: number; undoes: readonly string[] }[] =>
  store.get().flatMap(({ id, actions }) => {
    const undoes = actions.flatMap(action => action.undoes ?? [])
    return undoes.length > 0 ? [{ id, undoes }] : []
  })

export function useNotices(): readonly Notice[] {
  return useStore(store)
}

/** The log of recent notices, including closed ones; latest first. */
export function useNoticeLog(): readonly Notice[] {
  return useStore(logStore)
}

/** Clears the log: the next user must not see the notices of the previous one. */
export function forgetNotices(): void {
  logStore.set([])
}
