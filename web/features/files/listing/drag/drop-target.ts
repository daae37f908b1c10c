import { type FilePath, parsePath } from '../../../../../shared/path.ts'

/** A drop target carries the path of its folder in `data-drop`. */
const TARGET = '[data-drop]'

/** The destination folder of a drop here, and its element. */
export interface DropTarget {
  element: HTMLElement
  folder: FilePath
}

/** The drop target under the pointer, if any. */
export function dropTargetAt(target: EventTarget | null): DropTarget | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>(TARGET) : null
  return element ? { element, folder: parsePath(element.dataset.drop ?? '') } : undefined
}

/** The element under the pointer on which items are starred; a folder in it takes the drop itself. */
export function starTargetAt(target: EventTarget | null): HTMLElement | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>(`${TARGET}, [data-stars]`) : null
  return element?.matches('[data-stars]') ? element : undefined
}

/** Whether this is the listing itself, not one of its entries. */
export const isListing = (element: HTMLElement): boolean => element.matches('[data-listing]')

let marked: HTMLElement | undefined

/** Marks the element that takes the drop; `undefined` for none. */
export function markDropTarget(element: HTMLElement | undefined): void {
  if (marked === element) return
  marked?.removeAttribute('data-drop-over')
  element?.setAttribute('data-drop-over', '')
  marked = element
}
