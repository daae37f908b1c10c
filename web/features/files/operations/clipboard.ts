import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { dismissNotice, notify } from '../../../lib/notices.ts'
import { sessionStore } from '../../../lib/session.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { transferItems } from './transfer.ts'

/** What was copied or cut. */
export interface Clipboard {
  /** `c` for copy, `x` for cut. */
  key: 'c' | 'x'
  items: readonly ResourceItem[]
  /** The folder they were in. */
  path: FilePath
  /** Whose it is. */
  user: number | undefined
}

const store = createStore<Clipboard | null>(null)

/** Remembers things, to be copied where they are pasted. */
export function copyToClipboard(items: readonly ResourceItem[], folder: FilePath): void {
  hold('c', items, folder)
}

/** Remembers things, to be moved where they are pasted. */
export function cutToClipboard(items: readonly ResourceItem[], folder: FilePath): void {
  hold('x', items, folder)
}

let notice = 0

function hold(key: Clipboard['key'], items: readonly ResourceItem[], path: FilePath): void {
  store.set({ key, items, path, user: sessionStore.get().user?.id })
  const text = t(key === 'c' ? 'transfer.copied' : 'transfer.cut', { count: items.length })
  // The clipboard holds one thing: the notice of the one before is no longer true.
  dismissNotice(notice)
  notice = notify('info', text)
}

/** What is on the clipboard of whoever is logged in. */
export function clipboard(): Clipboard | null {
  const held = store.get()
  return held && held.user === sessionStore.get().user?.id ? held : null
}

/** What is on the clipboard; renders again when it changes. */
export function useClipboard(): Clipboard | null {
  useStore(store)
  return clipboard()
}

/** Copies or moves what is on the clipboard into a folder. What was cut can be pasted once. */
export async function paste(folder: FilePath): Promise<void> {
  const held = clipboard()
  if (!held) return
  if (held.key === 'x' && held.path === folder) return void notify('info', t('transfer.alreadyHere'))
  if (held.key === 'x') store.set(null)
  await transferItems(held.key === 'c' ? 'copy' : 'move', held.items, folder)
}
