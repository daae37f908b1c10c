import { type FilePath, parsePath } from '../../shared/path.ts'

/** What things can be dropped onto carries the path of its folder in `data-drop`. */
const TARGET = '[data-drop]'

/** The folder things would go to when dropped here, and the element that stands for it. */
export interface DropTarget {
  element: HTMLElement
  folder: FilePath
}

/** What is under the pointer, if something can be dropped there. */
export function dropTargetAt(target: EventTarget | null): DropTarget | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>(TARGET) : null
  return element ? { element, folder: parsePath(element.dataset.drop ?? '') } : undefined
}

/** Whether this is the listing itself, not an entry of it. */
export const isListing = (element: HTMLElement): boolean => element.matches('[data-listing]')

let marked: HTMLElement | undefined

/** Shows which element takes the drop; `undefined` for none. */
export function markDropTarget(element: HTMLElement | undefined): void {
  if (marked === element) return
  marked?.removeAttribute('data-drop-over')
  element?.setAttribute('data-drop-over', '')
  marked = element
}
