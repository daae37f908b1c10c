import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useState } from 'react'
import { pageConfig } from '../../../lib/config.ts'
import { t } from '../../../lib/i18n/index.ts'
import styles from './pdf.module.css'
import type { Pdf } from './use-pdf.ts'

/** A link on a page. */
interface PageLink {
  id: string
  /** An external target: only URLs that the library considers safe. */
  url: string | undefined
  destination: unknown
  /** In percent of the page, from its left and upper edge. */
  left: number
  top: number
  width: number
  height: number
}

interface LinksProps {
  pdf: Pdf
  page: PDFPageProxy
  onGoTo(destination: unknown): void
}

/** The link layer of a page. */
export function Links({ page, onGoTo }: LinksProps) {
  const [links, setLinks] = useState<readonly PageLink[]>([])
  useEffect(() => {
    let gone = false
    linksOf(page).then(
      found => !gone && setLinks(found),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [page])
  return links.map(({ id, url, destination, left, top, width, height }) => {
    const style = { left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }
    return url === undefined ? (
      <button
        key={id}
        type="button"
        className={styles.link}
        style={style}
        aria-label={t('preview.goTo')}
        onClick={() => onGoTo(destination)}
      />
    ) : (
      <a key={id} className={styles.link} style={style} href={url} target="_blank" rel="noreferrer">
        <span className="visually-hidden">{url}</span>
      </a>
    )
  })
}

async function linksOf(page: PDFPageProxy): Promise<PageLink[]> {
  const viewport = page.getViewport({ scale: 1 })
  const annotations: readonly Annotation[] = await page.getAnnotations({ intent: 'display' })
  return annotations
    .filter(({ subtype, url, dest }) => subtype === 'Link' && (isExternal(url) || dest))
    .map(({ id, url, dest, rect }) => {
      const [left = 0, bottom = 0, right = 0, top = 0] = rect
      const [x1 = 0, y1 = 0] = viewport.convertToViewportPoint(left, bottom)
      const [x2 = 0, y2 = 0] = viewport.convertToViewportPoint(right, top)
      return {
        id,
        url: isExternal(url) ? url : undefined,
        destination: dest,
        left: (100 * Math.min(x1, x2)) / viewport.width,
        top: (100 * Math.min(y1, y2)) / viewport.height,
        width: (100 * Math.abs(x2 - x1)) / viewport.width,
        height: (100 * Math.abs(y2 - y1)) / viewport.height,
      }
    })
}

/** The fields read of an annotation; the library leaves its type open. */
interface Annotation {
  id: string
  subtype: string
  url?: string
  dest?: unknown
  rect: readonly number[]
}

/** Whether it is an allowed external link. */
const isExternal = (url: string | undefined): url is string =>
  !pageConfig.DisableExternal && /^(?:https?|mailto):/i.test(url ?? '')
