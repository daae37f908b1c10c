import { useEffect, useRef } from 'react'
import styles from './tip.module.css'

const DELAY = 500
const GAP = 6

/**
 * The page's only tooltip: shows the `data-tip` of a hovered or keyboard-focused element. Visual only; the accessible
 * name comes from elsewhere. Esc hides it.
 */
export function Tip() {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tip = box.current
    return tip ? follow(tip) : undefined
  }, [])
  return <div ref={box} className={styles.tip} popover="manual" aria-hidden="true" />
}

function follow(tip: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let awaited: HTMLElement | undefined
  const hide = () => {
    clearTimeout(timer)
    awaited = undefined
    relabelled.disconnect()
    if (tip.matches(':popover-open')) tip.hidePopover()
  }
  // A button that is pressed can get another label.
  const relabelled = new MutationObserver(() => awaited && tip.matches(':popover-open') && place(tip, awaited))
  const wait = (target: HTMLElement) => {
    awaited = target
    relabelled.observe(target, { attributeFilter: ['data-tip'] })
    timer = setTimeout(() => place(tip, target), DELAY)
  }
  const show = (event: Event) => {
    hide()
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-tip]') : null
    if (!target || (event.type === 'focusin' && !target.matches(':focus-visible'))) return
    if (event instanceof PointerEvent && event.pointerType === 'touch') return
    wait(target)
  }
  // An element that is still hovered or focused after the scroll gets its tooltip again.
  const onScroll = () => {
    const target = awaited
    hide()
    if (target?.matches(':hover, :focus-visible')) wait(target)
  }
  const onKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()
  const stop = new AbortController()
  const options = { signal: stop.signal, capture: true, passive: true }
  document.addEventListener('pointerover', show, options)
  document.addEventListener('focusin', show, options)
  document.addEventListener('focusout', hide, options)
  document.addEventListener('pointerdown', hide, options)
  document.addEventListener('scroll', onScroll, options)
  document.addEventListener('keydown', onKey, options)
  return () => {
    hide()
    stop.abort()
  }
}

/** Shows the text of an element near it, or hides the tooltip if it has none any more. */
function place(tip: HTMLElement, target: HTMLElement): void {
  const text = target.isConnected && target.dataset.tip
  tip.togglePopover(Boolean(text))
  if (!text) return
  tip.textContent = text
  const at = target.getBoundingClientRect()
  const size = tip.getBoundingClientRect()
  const left = at.left + at.width / 2 - size.width / 2
  const below = at.bottom + GAP + size.height < innerHeight
  tip.style.left = `${Math.max(GAP, Math.min(left, innerWidth - size.width - GAP))}px`
  tip.style.top = `${below ? at.bottom + GAP : at.top - GAP - size.height}px`
}
