import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react'
import type { LocalSize } from '../lib/local-preference.ts'
import { useStore } from '../lib/store.ts'

const STEP = 24

export interface SplitterProps {
  /** The name of the part that it resizes. */
  label: string
  className: string | undefined
  orientation: 'horizontal' | 'vertical'
  /** Of the part, as wanted. All sizes are in CSS pixels. A double click restores the normal one. */
  size: LocalSize
  highest: () => number
  /** The arrow keys that enlarge the part and reduce it. */
  grow: string
  shrink: string
  /** The size as shown, which the window may limit. */
  shown?: () => number | undefined
  /** The size that puts the splitter below the pointer. */
  sizeAt: (event: PointerEvent) => number | undefined
}

/** A splitter, by dragging or the arrow keys, after the ARIA Authoring Practices' window splitter. */
export function Splitter({ label, className, orientation, size, sizeAt, ...model }: SplitterProps) {
  const now = useStore(size.store)
  const { lowest, normal } = size
  const { highest } = model
  const choose = (wanted: number | undefined) => {
    if (wanted !== undefined) size.choose(Math.round(Math.max(lowest, Math.min(wanted, highest()))))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted = sizeFor(event.key, model.shown?.() ?? now, { ...model, lowest })
    if (wanted === undefined) return
    event.preventDefault()
    choose(wanted)
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) choose(sizeAt(event))
  }
  return (
    <hr
      className={className}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator with a value is operated by keyboard
      tabIndex={0}
      aria-orientation={orientation}
      aria-label={label}
      aria-valuenow={now}
      aria-valuemin={lowest}
      aria-valuemax={Math.max(now, highest())}
      onKeyDown={onKeyDown}
      onMouseDown={holdWithoutDrag}
      onDoubleClick={() => choose(normal)}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}

/** The browser would begin to select or to drag what is next to the splitter, which ends the pointer's capture. */
function holdWithoutDrag(event: MouseEvent<HTMLElement>): void {
  event.preventDefault()
  event.currentTarget.focus()
}

type Model = Pick<SplitterProps, 'highest' | 'grow' | 'shrink'> & { lowest: number }

function sizeFor(key: string, now: number, { lowest, highest, grow, shrink }: Model): number | undefined {
  if (key === grow) return now + STEP
  if (key === shrink) return now - STEP
  if (key === 'Home') return lowest
  return key === 'End' ? highest() : undefined
}
