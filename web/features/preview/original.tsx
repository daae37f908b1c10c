import { useState } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { apiUrl } from '../../lib/api.ts'
import { rawPath } from '../files/api/resource.ts'
import { cancelOnUnmount } from '../files/items/cancel-image.ts'
import styles from './image.module.css'

/** Images that every supported browser shows, and for which the original may replace the preview. */
const SHOWN_BY_BROWSERS = /\.(?:jpe?g|png|webp)$/i
/** Largest file loaded for that, in bytes. */
const MAX_ORIGINAL = 32 * 1024 * 1024

/** Whether the file itself can be shown. */
export const mayShowOriginal = ({ name, size }: FileResource): boolean =>
  SHOWN_BY_BROWSERS.test(name) && size <= MAX_ORIGINAL

interface OriginalProps {
  resource: FileResource
  style: { transform: string; inlineSize: number; blockSize: number }
}

/** The file itself over its preview, which stays until it has loaded, or if it fails to. */
export function Original({ resource: { path, modified }, style }: OriginalProps) {
  const [loaded, setLoaded] = useState(false)
  return (
    <img
      ref={cancelOnUnmount}
      className={styles.image}
      src={apiUrl(`${rawPath(path, true)}&key=${Date.parse(modified)}`)}
      alt=""
      draggable={false}
      data-loaded={loaded || undefined}
      style={style}
      onLoad={() => setLoaded(true)}
    />
  )
}
