import { ACTION_NOTICE_TIMEOUT, NOTICE_TIME_PER_CHARACTER, NOTICE_TIMEOUT } from '../../shared/limits.ts'
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
  /** Milliseconds it stays; `Infinity` for errors, which wait to be closed. */
  timeout: number
  /** Milliseconds since the epoch. */
  at: number
}

const MAX_NOTICES = 4
/** Notices that are kept for the list of those that were shown. */
const MAX_LOGGED = 20
const store = createStore<readonly Notice[]>([])
const logStore = createStore<readonly Notice[]>([])
let lastId = 0

/** Shows a notice and answers its id. */
export function notify(kind: NoticeKind, text: string, action?: NoticeAction): number {
  lastId += 1
  const notice: Notice = { id: lastId, kind, text, action, timeout: timeoutOf(kind, text, action), at: Date.now() }
  store.set(fitting([...store.get().filter(other => other.text !== text), notice]))
  logStore.set([notice, ...logStore.get()].slice(0, MAX_LOGGED))
  return notice.id
}

/** Long enough to be read. */
function timeoutOf(kind: NoticeKind, text: string, action: NoticeAction | undefined): number {
  if (kind === 'error') return Number.POSITIVE_INFINITY
  return Math.max(NOTICE_TIMEOUT + NOTICE_TIME_PER_CHARACTER * text.length, action ? ACTION_NOTICE_TIMEOUT : 0)
}

/** Without the oldest one, when there are too many; an error gives way to no confirmation. */
function fitting(notices: readonly Notice[]): readonly Notice[] {
  if (notices.length <= MAX_NOTICES) return notices
  const gone = notices.find(notice => notice.kind !== 'error') ?? notices[0]
  return notices.filter(notice => notice !== gone)
}

export function dismissNotice(id: number): void {
  store.set(store.get().filter(notice => notice.id !== id))
}

export function useNotices(): readonly Notice[] {
  return useStore(store)
}

/** The last notices, also those that have gone; the latest first. */
export function useNoticeLog(): readonly Notice[] {
  return useStore(logStore)
}

/** Empties the list: the notices of one user are not for the next. */
export function forgetNotices(): void {
  logStore.set([])
}
