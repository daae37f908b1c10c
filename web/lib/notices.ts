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
}

const MAX_NOTICES = 4
const store = createStore<readonly Notice[]>([])
let lastId = 0

/** Shows a notice and answers its id. */
export function notify(kind: NoticeKind, text: string, action?: NoticeAction): number {
  lastId += 1
  const timeout = kind === 'error' ? Number.POSITIVE_INFINITY : action ? ACTION_NOTICE_TIMEOUT : NOTICE_TIMEOUT
  const notice: Notice = { id: lastId, kind, text, action, timeout }
  store.set([...store.get().filter(other => other.text !== text), notice].slice(-MAX_NOTICES))
  return notice.id
}

export function dismissNotice(id: number): void {
  store.set(store.get().filter(notice => notice.id !== id))
}

export function useNotices(): readonly Notice[] {
  return useStore(store)
}
