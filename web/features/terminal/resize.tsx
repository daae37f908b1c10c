import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { createStore, useStore } from '../../lib/store.ts'
import styles from './panel.module.css'

const STORAGE_KEY = 'filigree.terminal'
/** CSS pixels. */
const LOWEST = 140
const NORMAL = 280
const STEP = 24
/** Minimum height of the content above. */
const REST = 120

const store = createStore(readHeight())

/** Height of the terminal in CSS pixels; stored in this browser. */
export function usePanelHeight(): number {
  return useStore(store)
}

function readHeight(): number {
  try {
    const height = Number(localStorage.getItem(STORAGE_KEY))
    return height >= LOWEST ? height : NORMAL
  } catch {
    return NORMAL
  }
}

function setHeight(height: number, highest: number): void {
  const now = Math.round(Math.max(LOWEST, Math.min(height, highest)))
  store.set(now)
  try {
    localStorage.setItem(STORAGE_KEY, String(now))
  } catch {
    // Storage may be unavailable; the height then lasts as long as the page.
  }
}

/** The splitter, by dragging or the arrow keys, after the ARIA Authoring Practices' window splitter. */
export function Separator({ panel }: { panel: RefObject<HTMLElement | null> }) {
  const height = usePanelHeight()
  const highest = () => Math.max(LOWEST, (panel.current?.parentElement?.clientHeight ?? innerHeight) - REST)
  const onKeyDown = (event: KeyboardEvent) => {
    const target = heightFor(event.key, panel.current?.offsetHeight ?? height, highest())
    if (target === undefined) return
    event.preventDefault()
    setHeight(target, highest())
  }
  const onPointerMove = (event: PointerEvent) => {
    const box = panel.current?.getBoundingClientRect()
    if (box && event.currentTarget.hasPointerCapture(event.pointerId)) setHeight(box.bottom - event.clientY, highest())
  }
  return (
    <hr
      className={styles.separator}
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t('terminal.height')}
      aria-valuenow={height}
      aria-valuemin={LOWEST}
      aria-valuemax={Math.max(height, innerHeight - REST)}
      onKeyDown={onKeyDown}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    />
  )
}

function heightFor(key: string, now: number, highest: number): number | undefined {
  if (key === 'ArrowUp') return now + STEP
  if (key === 'ArrowDown') return now - STEP
  if (key === 'Home') return LOWEST
  return key === 'End' ? highest : undefined
}
