import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { dismissNotice, notify } from '../../../lib/notices.ts'
import { sessionStore } from '../../../lib/session.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { transferItems } from './transfer.ts'

/** The items copied or cut. */
export interface Clipboard {
  /** `c` for copy, `x` for cut. */
  key: 'c' | 'x'
  items: readonly ResourceItem[]
  /** The folder that held them. */
  path: FilePath
  /** Id of the user. */
  user: number | undefined
}

const store = createStore<Clipboard | null>(null)

/** Puts items on the clipboard, to be copied on paste. */
export function copyToClipboard(items: readonly ResourceItem[], folder: FilePath): void {
  hold('c', items, folder)
}

/** Puts items on the clipboard, to be moved on paste. */
export function cutToClipboard(items: readonly ResourceItem[], folder: FilePath): void {
  hold('x', items, folder)
}

let notice = 0

function hold(key: Clipboard['key'], items: readonly ResourceItem[], path: FilePath): void {
  store.set({ key, items, path, user: sessionStore.get().user?.id })
  const text = t(key === 'c' ? 'transfer.copied' : 'transfer.cut', { count: items.length })
  // There is one clipboard: the notice of the previous content no longer holds.
  dismissNotice(notice)
  notice = notify('info', text)
}

/** The clipboard of the signed-in user. */
export function clipboard(): Clipboard | null {
  const held = store.get()
  return held && held.user === sessionStore.get().user?.id ? held : null
}

/** The clipboard; re-renders when it changes. */
export function useClipboard(): Clipboard | null {
  useStore(store)
  return clipboard()
}

/** Copies or moves the clipboard into a folder. Cut items can be pasted once. */
export async function paste(folder: FilePath): Promise<void> {
  const held = clipboard()
  if (!held) return
  if (held.key === 'x' && held.path === folder) return void notify('info', t('transfer.alreadyHere'))
  if (held.key === 'x') store.set(null)
  await transferItems(held.key === 'c' ? 'copy' : 'move', held.items, folder)
}
