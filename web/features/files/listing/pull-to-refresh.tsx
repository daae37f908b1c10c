import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { RotateCw } from '../../../ui/icons.ts'
import styles from './pull-to-refresh.module.css'

/** CSS pixels of pull that trigger a refresh on release. */
const FAR = 80

interface PullToRefreshProps {
  /** The element that is pulled. */
  area: RefObject<HTMLElement | null>
  onRefresh: () => void
}

/** Pull to refresh: reloads a listing pulled down by a finger while it is scrolled to its top. */
export default function PullToRefresh({ area, onRefresh }: PullToRefreshProps) {
  const [pulled, setPulled] = useState(0)
  const release = useEffectEvent((distance: number) => {
    setPulled(0)
    if (distance >= FAR) onRefresh()
  })
  useEffect(() => (area.current ? trackPull(area.current, setPulled, release) : undefined), [area])
  if (pulled === 0) return null
  const shown = Math.min(pulled, FAR)
  return (
    <div className={styles.pull} data-far={pulled >= FAR || undefined} aria-hidden="true">
      <span className={styles.sign} style={{ translate: `0 ${shown}px`, rotate: `${shown * 3}deg` }}>
        <RotateCw size={20} aria-hidden />
      </span>
    </div>
  )
}

/** Tracks one finger that touches down while nothing is scrolled. @returns the function that stops tracking */
function trackPull(area: HTMLElement, onPull: (by: number) => void, onEnd: (by: number) => void): () => void {
  const stop = new AbortController()
  const options = { signal: stop.signal, passive: true }
  let from: number | undefined
  let by = 0
  const forget = () => {
    if (by > 0) onPull(0)
    from = undefined
    by = 0
  }
  const begin = ({ touches, target }: TouchEvent) => {
    forget()
    const onBox = target instanceof HTMLInputElement
    if (touches.length === 1 && !onBox && isAtStart(area)) from = touches[0]?.clientY
  }
  const move = ({ touches }: TouchEvent) => {
    if (from === undefined) return
    if (touches.length > 1 || !isAtStart(area)) return forget()
    by = Math.max(0, (touches[0]?.clientY ?? from) - from)
    onPull(by)
  }
  const end = () => {
    if (by > 0) onEnd(by)
    from = undefined
    by = 0
  }
  area.addEventListener('touchstart', begin, options)
  area.addEventListener('touchmove', move, options)
  area.addEventListener('touchend', end, options)
  area.addEventListener('touchcancel', forget, options)
  return () => stop.abort()
}

/** Whether the content is scrolled to its top. */
function isAtStart(area: HTMLElement): boolean {
  return (area.querySelector('[role="grid"]')?.scrollTop ?? 0) <= 0
}
