import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { Thumb } from '../files/items/thumb.tsx'
import styles from './filmstrip.module.css'
import { type Strip, stripAround } from './strip.ts'

interface FilmstripProps {
  /** Those that Next and Previous stop at. */
  items: readonly ResourceItem[]
  /** The one on the screen. */
  index: number
  goTo: (item: ResourceItem) => void
}

/** Thumbnails of the files around the one on the screen, which stays in the middle. Only those in view are rendered. */
export default function Filmstrip({ items, index, goTo }: FilmstripProps) {
  useLocale()
  const area = useRef<HTMLElement>(null)
  const [seen, setSeen] = useState<Strip>({ offset: 0, width: innerWidth })
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    const follow = () => setSeen({ offset: Math.abs(element.scrollLeft), width: element.clientWidth })
    const observer = new ResizeObserver(() => {
      centre(element)
      follow()
    })
    observer.observe(element)
    element.addEventListener('scroll', follow, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', follow)
    }
  }, [])
  // Another file is in the middle, or has another place.
  useLayoutEffect(() => centre(area.current), [index, items.length])
  useFocusOnCurrent(area, index)
  const size = thumbSize()
  const shown = stripAround(seen, items.length, index, size)
  return (
    <nav ref={area} className={styles.strip} aria-label={t('preview.filmstrip')}>
      <div className={styles.track} style={{ inlineSize: items.length * size }}>
        {shown.map(at => {
          const item = items[at]
          return (
            item && (
              <button
                key={item.path}
                type="button"
                className={styles.item}
                style={{ insetInlineStart: at * size, inlineSize: size }}
                aria-label={shownName(item.name)}
                aria-current={at === index || undefined}
                tabIndex={at === index ? 0 : -1}
                onClick={() => goTo(item)}
              >
                <span className={styles.picture}>
                  <Thumb item={item} allowed large />
                </span>
              </button>
            )
          )
        })}
      </div>
    </nav>
  )
}

/** Width of an item with its space, in CSS pixels. */
const SIZE = 64
const COARSE_SIZE = 52

const thumbSize = () => (matchMedia('(pointer: coarse)').matches ? COARSE_SIZE : SIZE)

/** Scrolls the current item to the middle. */
function centre(area: HTMLElement | null): void {
  const current = area?.querySelector<HTMLElement>('[aria-current]')
  if (!area || !current) return
  const box = area.getBoundingClientRect()
  const { left, width } = current.getBoundingClientRect()
  area.scrollLeft += left + width / 2 - (box.left + box.width / 2)
}

/** Where the focus is on the strip, it stays on the current item. */
function useFocusOnCurrent(area: RefObject<HTMLElement | null>, index: number): void {
  // After every step.
  useEffect(() => {
    if (!area.current?.contains(document.activeElement)) return
    area.current.querySelector<HTMLElement>('[aria-current]')?.focus({ preventScroll: true })
  }, [area, index])
}
