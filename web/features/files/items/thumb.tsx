import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { previewedAs } from '../../../../shared/previewed.ts'
import { givingUp } from '../../../lib/cancel-image.ts'
import { pageConfig } from '../../../lib/config.ts'
import { onlineStore, useOnline } from '../../../lib/online.ts'
import { Glyph, kindOf } from '../../../ui/glyph.tsx'
import { isScrolling } from '../../../ui/grid/scrolling.ts'
import { previewUrl } from './preview-url.ts'
import styles from './thumb.module.css'

/** Milliseconds a picture must have been in sight before it is asked for while the listing scrolls. */
const PATIENCE = 150

/** Addresses that gave no picture; they are not asked again until the server was out of reach and is back. */
const hopeless = new Set<string>()
onlineStore.subscribe(() => hopeless.clear())

/** Where the pictures in small are: of the own files, unless somebody shows others. */
export const ThumbAddress = createContext((item: ResourceItem) => previewUrl('thumb', item))

/** Whether pictures that are not there yet have to wait: what lies above needs the few connections that browsers make. */
export const ThumbsWait = createContext(false)

/** Whether an entry may have a picture in small. */
export function hasThumb(item: ResourceItem): boolean {
  if (!pageConfig.EnableThumbs || item.isDir || item.type === 'invalid_link') return false
  const kind = previewedAs(item.name)
  return item.type === 'image' || (kind !== undefined && (kind !== 'film' || pageConfig.FilmThumbs))
}

/**
 * What an entry looks like: a picture in small, or the glyph of its kind. The place of a picture is kept free in the
 * tint of pictures until it is there.
 * @param allowed whether the user may download, without which there are no pictures
 */
export function Thumb({ item, allowed, large = false }: { item: ResourceItem; allowed: boolean; large?: boolean }) {
  const online = useOnline()
  const addressOf = useContext(ThumbAddress)
  const url = allowed && hasThumb(item) ? addressOf(item) : undefined
  const glyph = <Glyph kind={kindOf(item)} large={large} />
  if (url === undefined || hopeless.has(url)) return glyph
  return <Picture key={url} url={url} glyph={glyph} online={online} />
}

function Picture({ url, glyph, online }: { url: string; glyph: ReactNode; online: boolean }) {
  const [wanted, setWanted] = useState(!isScrolling())
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const waits = useContext(ThumbsWait) && state === 'loading'
  useEffect(() => {
    if (wanted) return
    const timer = setTimeout(() => setWanted(true), PATIENCE)
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
          ref={givingUp}
          className={styles.image}
          src={url}
          alt=""
          decoding="async"
          draggable={false}
          onLoad={() => setState('loaded')}
          onError={() => {
            hopeless.add(url)
            setState('failed')
          }}
        />
      )}
    </span>
  )
}
