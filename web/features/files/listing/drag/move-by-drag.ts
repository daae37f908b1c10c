import type { DragEvent as ReactDragEvent } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { type FilePath, isWithin } from '../../../../../shared/path.ts'
import { actionById, currentContext } from '../../../../lib/actions.ts'
import { apiUrl } from '../../../../lib/api.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { isMac } from '../../../../lib/keyboard.ts'
import { currentFolder, filesUrl, navigate } from '../../../../lib/router.tsx'
import { sessionStore } from '../../../../lib/session.ts'
import { rawPath } from '../../api/resource.ts'
import { copyItems, moveItems } from '../../operations/transfer.ts'
import styles from './drag.module.css'
import { draggingStore } from './drag-store.ts'
import { type DropTarget, dropTargetAt, isListing, markDropTarget, starTargetAt } from './drop-target.ts'

/** Milliseconds of hovering after which a folder opens during a drag. */
const SPRING = 1000

interface Drag {
  items: readonly ResourceItem[]
  /** The folder that holds them. */
  from: FilePath
  stop: AbortController
  spring: { folder: FilePath; timer: ReturnType<typeof setTimeout> } | undefined
  /**
   * Pointer position when a folder opened during the drag: the next folder below it opens only after the pointer has
   * moved.
   */
  sprung?: { x: number; y: number } | undefined
}

let drag: Drag | undefined

/**
 * Starts a drag of items. Dropping them onto a folder moves them there, or copies them with Ctrl (⌥ on macOS); both can
 * be undone.
 */
export function beginDrag(event: ReactDragEvent, items: readonly ResourceItem[], from: FilePath): void {
  const { dataTransfer } = event
  endDrag()
  const stop = new AbortController()
  drag = { items, from, stop, spring: undefined }
  draggingStore.set(true)
  dataTransfer.effectAllowed = 'copyMove'
  dataTransfer.setData('text/plain', items.map(item => item.name).join('\n'))
  offerToDesktop(dataTransfer, items)
  showBadge(dataTransfer, items)
  const options = { signal: stop.signal }
  addEventListener('dragover', onOver, options)
  addEventListener('drop', onDrop, options)
  addEventListener('dragend', endDrag, options)
  // The browser fires no `dragend` when the row has left the page; the next press ends the drag.
  addEventListener('pointerdown', endDrag, options)
}

/** Chromium downloads a single file that is dropped outside of the browser: `type:name:address`. */
function offerToDesktop(dataTransfer: DataTransfer, [item, ...others]: readonly ResourceItem[]): void {
  if (!item || item.isDir || others.length > 0 || !sessionStore.get().user?.perm.download) return
  const address = new URL(apiUrl(rawPath(item.path)), location.href)
  dataTransfer.setData('DownloadURL', `application/octet-stream:${item.name.replaceAll(':', '_')}:${address.href}`)
}

function endDrag(): void {
  drag?.stop.abort()
  clearTimeout(drag?.spring?.timer)
  markDropTarget(undefined)
  draggingStore.set(false)
  drag = undefined
}

const copies = (event: DragEvent): boolean => (isMac ? event.altKey : event.ctrlKey)

/**
 * Whether the items may be dropped there: not into themselves, not into their own folder, not without the permission.
 */
function accepts({ items, from }: Drag, { folder, element }: DropTarget, copy: boolean): boolean {
  if (items.some(item => item.isDir && isWithin(folder, item.path as FilePath))) return false
  const perm = sessionStore.get().user?.perm
  // A copy dropped next to its original is most likely a slip of the hand.
  if (folder === from && (!copy || isListing(element))) return false
  return (copy ? perm?.create : perm?.rename) ?? false
}

function onOver(event: DragEvent): void {
  if (!drag || !event.dataTransfer) return
  const target = dropTargetAt(event.target)
  const copy = copies(event)
  const stars = starTargetAt(event.target)
  const taken = target !== undefined && accepts(drag, target, copy)
  markDropTarget(stars ?? (taken ? target.element : undefined))
  spring(target && !isListing(target.element) && hasMoved(drag, event) ? target : undefined, event)
  if (stars) event.preventDefault()
  if (!taken) return
  event.preventDefault()
  event.dataTransfer.dropEffect = copy ? 'copy' : 'move'
}

/** Pixels of jitter that do not count as movement. */
const TREMOR = 4

function hasMoved({ sprung }: Drag, { clientX, clientY }: DragEvent): boolean {
  return !sprung || Math.hypot(clientX - sprung.x, clientY - sprung.y) > TREMOR
}

/** Opens the folder under the resting pointer: expands it in a tree, shows it elsewhere. */
function spring(target: DropTarget | undefined, { clientX: x, clientY: y }: DragEvent): void {
  const folder = target?.folder
  if (!drag || drag.spring?.folder === folder) return
  clearTimeout(drag.spring?.timer)
  drag.spring = undefined
  if (!target || folder === undefined || drag.items.some(item => item.path === folder)) return
  const timer = setTimeout(() => {
    const { element } = target
    if (element.matches('[role="treeitem"]'))
      return element.querySelector<HTMLElement>('[data-twist][data-state="closed"]')?.click()
    if (folder === currentFolder()) return
    if (drag) drag.sprung = { x, y }
    void navigate(filesUrl(folder, true))
  }, SPRING)
  drag.spring = { folder, timer }
}

function onDrop(event: DragEvent): void {
  const target = dropTargetAt(event.target)
  const copy = copies(event)
  const carried = drag
  const stars = starTargetAt(event.target)
  endDrag()
  if (carried && stars) {
    event.preventDefault()
    void actionById('star')?.run({ ...currentContext(), selection: carried.items })
  }
  if (!carried || !target || !accepts(carried, target, copy)) return
  event.preventDefault()
  void (copy ? copyItems : moveItems)(carried.items, target.folder)
}

/** The drag image: the name, or the number of items. */
function showBadge(transfer: DataTransfer, items: readonly ResourceItem[]): void {
  const badge = document.createElement('div')
  badge.className = styles.badge ?? ''
  badge.textContent = items.length === 1 ? (items[0]?.name ?? '') : t('files.count', { count: items.length })
  document.body.append(badge)
  transfer.setDragImage(badge, -12, -8)
  // The browser has captured the drag image by then.
  setTimeout(() => badge.remove())
}
