import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { announce } from '../../../lib/announce.ts'
import { pageConfig } from '../../../lib/config.ts'
import { formatNumber } from '../../../lib/i18n/format.ts'
import { localeTag, t, useLocale } from '../../../lib/i18n/index.ts'
import { numberFormat } from '../../../lib/i18n/intl.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { localPreference } from '../../../lib/local-preference.ts'
import { queryClient } from '../../../lib/query.ts'
import { useStore } from '../../../lib/store.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Clock, X } from '../../../ui/icons.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { pixelsQuery } from '../../files/api/pixels.ts'
import { cancelImage } from '../../files/items/cancel-image.ts'
import { imageUrl } from '../image-url.ts'
import { useIdle } from '../use-idle.ts'
import styles from './slideshow.module.css'
import { firstLoaded, picturesAfter } from './steps.ts'
import { stopSlideshow } from './store.ts'

/** Seconds for which an image is shown. */
const SECONDS = ['3', '5', '10', '20', '30'] as const
const interval = localPreference('filigree.slideshow', SECONDS, '5')

/** Keys that do not end a slideshow, or have a meaning in it. */
const QUIET_KEYS = new Set(['Escape', ' ', 's', 'S', 'f', 'F', 'Tab', 'Shift', 'Control', 'Alt', 'Meta'])

interface SlideshowProps {
  /** The files of the folder, in its order. */
  items: readonly ResourceItem[]
  /** Index of the one on the screen. */
  index: number
  /** URL of an image; that of the user's own files unless given. */
  pictureUrl?: ((item: ResourceItem) => string) | undefined
  goTo: (item: ResourceItem) => void
}

/** Shows the images of a folder one after the other, until any other input; has a toolbar of its own. */
export default function Slideshow(props: SlideshowProps) {
  useLocale()
  const { items, index } = props
  const tools = useRef<HTMLDivElement>(null)
  const seconds = useStore(interval.store)
  const isVisible = useVisible()
  const isIdle = useIdle()
  useWakeLock(isVisible)
  useSteps(props, isVisible ? Number(seconds) : undefined)
  useStopOnInput(tools)
  useFocus(tools)
  const isOutside = ({ target }: Event) => !(target instanceof Node && tools.current?.contains(target))
  useShortcuts('listing', [
    { keys: 'Escape', run: stopSlideshow },
    { keys: 'Space', run: event => isOutside(event) && stopSlideshow() },
  ])
  const pictures = picturesAfter(items, -1)
  const count = pictures.length
  const at = pictures.findIndex(({ path }) => path === items[index]?.path)
  // What is announced is what began; each image would be one announcement after the other.
  const begun = useEffectEvent(() => announce(t('preview.slideshowOn', { count })))
  useEffect(() => begun(), [])
  return (
    <div ref={tools} className={styles.tools} data-idle={isIdle || undefined}>
      <span className={styles.position}>
        {t('preview.position', { index: formatNumber(at + 1), count: formatNumber(count) })}
      </span>
      <Tools seconds={seconds} />
    </div>
  )
}

function Tools({ seconds }: { seconds: (typeof SECONDS)[number] }) {
  const entries = SECONDS.map(each => ({
    id: each,
    label: formatSeconds(each),
    checked: each === seconds,
    run: () => interval.choose(each),
  }))
  const text = formatSeconds(seconds)
  return (
    <Toolbar label={t('preview.slideshow')}>
      <MenuButton
        label={t('palette.choice', { group: t('preview.slideshowInterval'), label: text })}
        text={text}
        entries={entries}
      >
        <Clock size={18} aria-hidden />
      </MenuButton>
      <IconButton label={t('preview.slideshowStop')} keys="Esc" onClick={stopSlideshow}>
        <X size={18} aria-hidden />
      </IconButton>
    </Toolbar>
  )
}

const formatSeconds = (seconds: string): string =>
  numberFormat(localeTag(), { style: 'unit', unit: 'second', unitDisplay: 'long' }).format(Number(seconds))

/**
 * Goes to the next image once it has loaded and the current one has been shown long enough; ends the slideshow where no
 * other image loads. @param seconds nothing while the page is hidden
 */
function useSteps({ items, index, pictureUrl = imageUrl, goTo }: SlideshowProps, seconds: number | undefined): void {
  const path = items[index]?.path
  const find = useEffectEvent((signal: AbortSignal) =>
    firstLoaded(picturesAfter(items, index), item => load(item, pictureUrl(item), signal)),
  )
  const go = useEffectEvent((item: ResourceItem | undefined) => (item ? goTo(item) : stopSlideshow()))
  // The image on the screen sets the time.
  useEffect(() => {
    if (seconds === undefined) return
    const left = new AbortController()
    const shown = new Promise(resolve => setTimeout(resolve, seconds * 1000))
    void Promise.all([find(left.signal), shown]).then(([next]) => {
      if (!left.signal.aborted) go(next)
    })
    return () => left.abort()
  }, [path, seconds])
}

/** Loads what the viewer needs to show an image at once. @throws DOMException if it can't be decoded */
async function load(item: ResourceItem, url: string, left: AbortSignal): Promise<void> {
  left.throwIfAborted()
  const image = new Image()
  // Deferred: the image is the current one next.
  left.addEventListener('abort', () => void setTimeout(() => cancelImage(image)))
  image.src = url
  const isAsked = pageConfig.ResizePreview && url === imageUrl(item)
  await Promise.all([image.decode(), isAsked && queryClient.prefetchQuery(pixelsQuery(item))])
}

/** Any input ends a slideshow, except in its own tools. */
function useStopOnInput(tools: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onInput = (event: Event) => {
      const { target } = event
      if (event instanceof KeyboardEvent && QUIET_KEYS.has(event.key)) return
      if (target instanceof Element && (tools.current?.contains(target) || target.closest('[role=menu]'))) return
      stopSlideshow()
    }
    const end = new AbortController()
    for (const kind of ['pointerdown', 'wheel', 'keydown']) {
      document.addEventListener(kind, onInput, { capture: true, passive: true, signal: end.signal })
    }
    return () => end.abort()
  }, [tools])
}

/** Gives the focus to the viewer where the element that had it goes: a button of the bar, then one of the tools. */
function useFocus(tools: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = tools
    const viewer = current?.closest('main')
    if (document.activeElement === document.body) viewer?.focus()
    return () => {
      if (current?.contains(document.activeElement)) viewer?.focus()
    }
  }, [tools])
}

/** Whether the page is in view; re-renders when that changes. */
function useVisible(): boolean {
  return useSyncExternalStore(
    listener => {
      document.addEventListener('visibilitychange', listener)
      return () => document.removeEventListener('visibilitychange', listener)
    },
    () => document.visibilityState === 'visible',
  )
}

/** Keeps the screen on, where the browser can and may. It ends the lock itself when the page is hidden. */
function useWakeLock(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return
    const lock = navigator.wakeLock.request('screen').catch(() => undefined)
    return () => void lock.then(held => held?.release())
  }, [isWanted])
}
