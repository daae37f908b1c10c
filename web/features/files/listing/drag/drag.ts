import type { DragEvent as ReactDragEvent } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { type FilePath, isWithin } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { isMac } from '../../../../lib/keyboard.ts'
import styles from './drag.module.css'
import { draggingStore } from './drag-store.ts'
import { type DropTarget, dropTargetAt, isListing, markDropTarget, starTargetAt } from './drop-target.ts'

/** What can be done with dragged items. */
export interface DragActions {
  /** Whether they may be moved, or copied with Ctrl (⌥ on macOS). */
  may: (copy: boolean) => boolean
  drop: (items: readonly ResourceItem[], folder: FilePath, copy: boolean) => void
  /** Whether the page shows the folder. */
  isShown: (folder: FilePath) => boolean
  /** Shows a folder on which the pointer rests. */
  show: (folder: FilePath) => void
  /** The address of the content of a file, without the origin; `undefined` where it may not be downloaded. */
  address: (file: ResourceItem) => string | undefined
  /** Takes what is dropped on a target of stars. */
  star?: (items: readonly ResourceItem[]) => void
}

/** Starts a drag of items. @param from the folder that holds them */
export type BeginDrag = (event: ReactDragEvent, items: readonly ResourceItem[], from: FilePath) => void

/** Milliseconds of hovering after which a folder opens during a drag. */
const SPRING = 1000

interface Drag {
  items: readonly ResourceItem[]
  /** The folder that holds them. */
  from: FilePath
  actions: DragActions
  stop: AbortController
  spring: { folder: FilePath; timer: ReturnType<typeof setTimeout> } | undefined
  /**
   * Pointer position when a folder opened during the drag: the next folder below it opens only after the pointer has
   * moved.
   */
  sprung?: { x: number; y: number } | undefined
}

let drag: Drag | undefined

/** Drags items, which are dropped onto folders. */
export const dragWith =
  (actions: DragActions): BeginDrag =>
  (event, items, from) =>
    begin(event.dataTransfer, { items, from, actions })

function begin(dataTransfer: DataTransfer, { items, from, actions }: Pick<Drag, 'items' | 'from' | 'actions'>): void {
  endDrag()
  const stop = new AbortController()
  drag = { items, from, actions, stop, spring: undefined }
  draggingStore.set(true)
  dataTransfer.effectAllowed = 'copyMove'
  dataTransfer.setData('text/plain', items.map(item => item.name).join('\n'))
  offerToDesktop(dataTransfer, items, actions)
  showBadge(dataTransfer, items)
  const options = { signal: stop.signal }
  addEventListener('dragover', onOver, options)
  addEventListener('drop', onDrop, options)
  addEventListener('dragend', endDrag, options)
  // The browser fires no `dragend` when the row has left the page; the next press ends the drag.
  addEventListener('pointerdown', endDrag, options)
}

/** Chromium downloads a single file that is dropped outside of the browser: `type:name:address`. */
function offerToDesktop(
  dataTransfer: DataTransfer,
  [item, ...others]: readonly ResourceItem[],
  { address }: DragActions,
): void {
  const content = item && !item.isDir && others.length === 0 ? address(item) : undefined
  if (!item || content === undefined) return
  const { href } = new URL(content, location.href)
  dataTransfer.setData('DownloadURL', `application/octet-stream:${item.name.replaceAll(':', '_')}:${href}`)
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
function accepts({ items, from, actions }: Drag, { folder, element }: DropTarget, copy: boolean): boolean {
  if (items.some(item => item.isDir && isWithin(folder, item.path as FilePath))) return false
  // A copy dropped next to its original is most likely a slip of the hand.
  if (folder === from && (!copy || isListing(element))) return false
  return actions.may(copy)
}

function onOver(event: DragEvent): void {
  if (!drag || !event.dataTransfer) return
  const target = dropTargetAt(event.target)
  const copy = copies(event)
  const stars = drag.actions.star && starTargetAt(event.target)
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
  const { items, actions } = drag
  clearTimeout(drag.spring?.timer)
  drag.spring = undefined
  if (!target || folder === undefined || items.some(item => item.path === folder)) return
  const timer = setTimeout(() => {
    const { element } = target
    if (element.matches('[role="treeitem"]'))
      return element.querySelector<HTMLElement>('[data-twist][data-state="closed"]')?.click()
    if (actions.isShown(folder)) return
    if (drag) drag.sprung = { x, y }
    actions.show(folder)
  }, SPRING)
  drag.spring = { folder, timer }
}

function onDrop(event: DragEvent): void {
  const target = dropTargetAt(event.target)
  const copy = copies(event)
  const carried = drag
  const stars = carried?.actions.star && starTargetAt(event.target)
  endDrag()
  if (carried && stars) {
    event.preventDefault()
    carried.actions.star?.(carried.items)
  }
  if (!carried || !target || !accepts(carried, target, copy)) return
  event.preventDefault()
  carried.actions.drop(carried.items, target.folder, copy)
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
