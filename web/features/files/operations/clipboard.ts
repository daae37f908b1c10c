import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { announce } from '../../../lib/announce.ts'
import { t } from '../../../lib/i18n/index.ts'
import { sessionStore } from '../../../lib/session.ts'
import { createStore, useStore } from '../../../lib/store.ts'

/** The items copied or cut. */
export interface Clipboard {
  /** `c` for copy, `x` for cut. */
  key: 'c' | 'x'
  items: readonly ResourceItem[]
  /** The paths of the items. */
  paths: ReadonlySet<string>
  /** The paths that pasting moves. */
  cut: ReadonlySet<string>
  /** The folder that held them. */
  path: FilePath
  /** Id of the user. */
  user: number | undefined
  /** Whether it was pasted: then it is only pasted again by the key and the menu. */
  pasted: boolean
  /** Whether it is about to be pasted: conflicts are looked for, or decided. */
  pasting: boolean
}

const NONE: ReadonlySet<string> = new Set()
const store = createStore<Clipboard | null>(null)

/** Puts items on the clipboard, to be copied on paste. */
export function copyToClipboard(items: readonly ResourceItem[], folder: FilePath): void {
  hold('c', items, folder)
}

/** Puts items on the clipboard, to be moved on paste. */
export function cutToClipboard(items: readonly ResourceItem[], folder: FilePath): void {
  hold('x', items, folder)
}

function hold(key: Clipboard['key'], items: readonly ResourceItem[], path: FilePath): void {
  const paths = new Set(items.map(item => item.path))
  const held = {
    key,
    items,
    paths,
    cut: key === 'x' ? paths : NONE,
    path,
    user: sessionStore.get().user?.id,
    pasted: false,
    pasting: false,
  }
  store.set(held)
  announce(`${heldText(held)} ${t('transfer.pasteHint', { count: items.length })}`)
}

/** What the clipboard holds. */
export const heldText = ({ key, items }: Pick<Clipboard, 'key' | 'items'>): string =>
  t(key === 'c' ? 'transfer.copied' : 'transfer.cut', { count: items.length, item: shownName(items[0]?.name ?? '') })

export function emptyClipboard(): void {
  store.set(null)
}

/** Replaces what the clipboard holds, unless it has changed by then. */
export function replaceClipboard(before: Clipboard, next: Clipboard | null): void {
  if (store.get() === before) store.set(next)
}

/** The clipboard of the signed-in user. */
export function clipboard(): Clipboard | null {
  const held = store.get()
  return held && held.user === sessionStore.get().user?.id ? held : null
}

/** Whether all of these items are on the clipboard. */
export const isHeld = (held: Clipboard, items: readonly ResourceItem[]): boolean =>
  items.every(({ path }) => held.paths.has(path))

/** The clipboard until it is pasted; re-renders when it changes. */
export function useUnpasted(): Clipboard | null {
  useStore(store)
  const held = clipboard()
  return held?.pasted ? null : held
}
