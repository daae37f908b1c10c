import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { PreviewSize } from '../../../../shared/api/previews.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { previewedAs } from '../../../../shared/previewed.ts'
import { pageConfig } from '../../../lib/config.ts'
import { onlineStore, useOnline } from '../../../lib/online.ts'
import { Glyph, kindOf } from '../../../ui/glyph.tsx'
import { isScrolling } from '../../../ui/grid/scrolling.ts'
import { cancelOnUnmount } from './cancel-image.ts'
import { previewUrl } from './preview-url.ts'
import styles from './thumb.module.css'

/** Milliseconds an image must have been in view before it is fetched while the listing scrolls. */
const SCROLL_DELAY = 150

/** URLs that failed; not requested again until the connection has been lost and restored. */
const failedUrls = new Set<string>()
onlineStore.subscribe(() => failedUrls.clear())

/** What thumbnails need of an entry. */
export type Pictured = Pick<ResourceItem, 'path' | 'name' | 'modified' | 'type' | 'isDir' | 'extension'>

/** Source of thumbnails: the user's files, unless a provider overrides it. */
export const ThumbAddress = createContext((item: Pictured, size: PreviewSize) => previewUrl(size, item))

/** Whether thumbnails not yet loaded have to wait: the overlay needs the few connections that browsers open. */
export const DeferThumbs = createContext(false)

/** Whether an entry may have a thumbnail. */
export function hasThumb(item: Pick<Pictured, 'name' | 'type' | 'isDir'>): boolean {
  if (!pageConfig.EnableThumbs || item.isDir || item.type === 'invalid_link') return false
  const kind = previewedAs(item.name)
  return item.type === 'image' || (kind !== undefined && (kind !== 'video' || pageConfig.VideoThumbs))
}

interface ThumbProps {
  item: Pictured
  /** Whether the user may download; without this permission there are no thumbnails. */
  allowed: boolean
  large?: boolean
  /** The preview that has the pixels to fill a tile of the gallery. */
  fills?: '512' | '1024'
}

/**
 * An entry's thumbnail, or the glyph of its type. A placeholder in the tint of images is shown until the thumbnail has
 * loaded.
 */
export function Thumb({ item, allowed, large = false, fills }: ThumbProps) {
  const online = useOnline()
  const addressOf = useContext(ThumbAddress)
  const url = allowed && hasThumb(item) ? addressOf(item, fills ?? 'thumb') : undefined
  const glyph = <Glyph kind={kindOf(item)} large={large} />
  if (url === undefined || failedUrls.has(url)) return glyph
  const dense = fills && addressOf(item, '1024')
  return <Picture key={url} url={url} dense={dense} glyph={glyph} online={online} />
}

interface PictureProps {
  url: string
  /** For screens with two pixels per CSS pixel. */
  dense: string | undefined
  glyph: ReactNode
  online: boolean
}

function Picture({ url, dense, glyph, online }: PictureProps) {
  const [wanted, setWanted] = useState(!isScrolling())
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const waits = useContext(DeferThumbs) && state === 'loading'
  useEffect(() => {
    if (wanted) return
    const timer = setTimeout(() => setWanted(true), SCROLL_DELAY)
    return () => clearTimeout(timer)
  }, [wanted])
  useEffect(() => {
    if (online) setState(now => (now === 'failed' ? 'loading' : now))
  }, [online])
  if (state === 'failed') return glyph
  return (
    <span className={styles.picture} data-loaded={state === 'loaded' || undefined}>
      {state === 'loading' && glyph}
      {wanted && !waits && (
        <img
          ref={cancelOnUnmount}
          className={styles.image}
          src={url}
          srcSet={dense && `${dense} 2x`}
          alt=""
          decoding="async"
          draggable={false}
          onLoad={() => setState('loaded')}
          onError={() => {
            failedUrls.add(url)
            setState('failed')
          }}
        />
      )}
    </span>
  )
}
