import type { DragEvent as ReactDragEvent } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { type FilePath, isWithin } from '../../../../../shared/path.ts'
import { type DropTarget, dropTargetAt, isListing, markDropTarget } from '../../../../lib/drop.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { isMac } from '../../../../lib/keyboard.ts'
import { filesUrl, navigate } from '../../../../lib/router.tsx'
import { sessionStore } from '../../../../lib/session.ts'
import { copyItems, moveItems } from '../../operations/transfer.ts'
import styles from './drag.module.css'
import { draggingStore } from './dragging.ts'

/** Milliseconds above a folder after which it opens, so that things can be carried on into it. */
const SPRING = 1000

interface Drag {
  items: readonly ResourceItem[]
  /** The folder they are in. */
  from: FilePath
  stop: AbortController
  spring: { folder: FilePath; timer: ReturnType<typeof setTimeout> } | undefined
  /** Where the pointer was when a folder has opened below it: what lies there then opens when it has moved. */
  sprung?: { x: number; y: number } | undefined
}

let drag: Drag | undefined

/**
 * Starts to carry things of a folder. Dropped onto a folder they are moved there, with Ctrl (⌥ on macOS) copied; both
 * can be undone.
 */
export function beginDrag(event: ReactDragEvent, items: readonly ResourceItem[], from: FilePath): void {
  const { dataTransfer } = event
  endDrag()
  const stop = new AbortController()
  drag = { items, from, stop, spring: undefined }
  draggingStore.set(true)
  dataTransfer.effectAllowed = 'copyMove'
  dataTransfer.setData('text/plain', items.map(item => item.name).join('\n'))
  showBadge(dataTransfer, items)
  const options = { signal: stop.signal }
  addEventListener('dragover', onOver, options)
  addEventListener('drop', onDrop, options)
  addEventListener('dragend', endDrag, options)
  // The end of a drag is not told when its row has left the page; the next press tells.
  addEventListener('pointerdown', endDrag, options)
}

function endDrag(): void {
  drag?.stop.abort()
  clearTimeout(drag?.spring?.timer)
  markDropTarget(undefined)
  draggingStore.set(false)
  drag = undefined
}

const copies = (event: DragEvent): boolean => (isMac ? event.altKey : event.ctrlKey)

/** Whether the things may go there: not into themselves, not where they are, not without the right. */
function accepts({ items, from }: Drag, { folder, element }: DropTarget, copy: boolean): boolean {
  if (items.some(item => item.isDir && isWithin(folder, item.path as FilePath))) return false
  const perm = sessionStore.get().user?.perm
  // Beside its original a thing would only be dropped by a slip of the hand.
  if (folder === from && (!copy || isListing(element))) return false
  return (copy ? perm?.create : perm?.rename) ?? false
}

function onOver(event: DragEvent): void {
  if (!drag || !event.dataTransfer) return
  const target = dropTargetAt(event.target)
  const copy = copies(event)
  const taken = target !== undefined && accepts(drag, target, copy)
  markDropTarget(taken ? target.element : undefined)
  spring(target?.element.closest('[role="row"]') && hasMoved(drag, event) ? target.folder : undefined, event)
  if (!taken) return
  event.preventDefault()
  event.dataTransfer.dropEffect = copy ? 'copy' : 'move'
}

/** Pixels by which a hand that holds a mouse still may move it. */
const TREMOR = 4

function hasMoved({ sprung }: Drag, { clientX, clientY }: DragEvent): boolean {
  return !sprung || Math.hypot(clientX - sprung.x, clientY - sprung.y) > TREMOR
}

/** Opens the folder whose row the pointer rests on. */
function spring(folder: FilePath | undefined, { clientX: x, clientY: y }: DragEvent): void {
  if (!drag || drag.spring?.folder === folder) return
  clearTimeout(drag.spring?.timer)
  drag.spring = undefined
  if (folder === undefined || drag.items.some(item => item.path === folder)) return
  const timer = setTimeout(() => {
    if (drag) drag.sprung = { x, y }
    void navigate(filesUrl(folder, true))
  }, SPRING)
  drag.spring = { folder, timer }
}

function onDrop(event: DragEvent): void {
  const target = dropTargetAt(event.target)
  const copy = copies(event)
  const carried = drag
  endDrag()
  if (!carried || !target || !accepts(carried, target, copy)) return
  event.preventDefault()
  void (copy ? copyItems : moveItems)(carried.items, target.folder)
}

/** What hangs on the pointer: the name, or how many. */
function showBadge(transfer: DataTransfer, items: readonly ResourceItem[]): void {
  const badge = document.createElement('div')
  badge.className = styles.badge ?? ''
  badge.textContent = items.length === 1 ? (items[0]?.name ?? '') : t('files.count', { count: items.length })
  document.body.append(badge)
  transfer.setDragImage(badge, -12, -8)
  // The browser has taken its picture by then.
  setTimeout(() => badge.remove())
}
