import { type PDFPageProxy, RenderingCancelledException, TextLayer } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import type { DrawnText } from './highlight.ts'
import { Links } from './links.tsx'
import { joined } from './page-text.ts'
import styles from './pdf.module.css'
import type { PageSize, Pdf } from './use-pdf.ts'

/** Canvas size in pixels that every browser supports. */
const MAX_PIXELS = 16_000_000

interface PageProps {
  pdf: Pdf
  /** From 1. */
  number: number
  /** CSS pixels per unit of the document. */
  scale: number
  /** Reports the size at scale 1, in CSS pixels. */
  onSize(number: number, size: PageSize): void
  /** Reports the text layer while it is mounted. */
  onText(number: number, text: DrawnText | undefined): void
  /** Navigates to another place of the document. */
  onGoTo(destination: unknown): void
}

/** A page in or near the view: canvas, text layer, links. */
export function Page({ pdf, number, scale, onSize, onText, onGoTo }: PageProps) {
  const [page, setPage] = useState<PDFPageProxy>()
  const [broken, setBroken] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const text = useRef<HTMLDivElement>(null)
  const reportSize = useEffectEvent(onSize)
  const reportText = useEffectEvent(onText)
  useEffect(() => {
    let gone = false
    pdf.document.getPage(number).then(
      got => {
        if (gone) return
        setPage(got)
        const { width, height } = got.getViewport({ scale: 1 })
        reportSize(number, { width, height })
      },
      () => !gone && setBroken(true),
    )
    return () => {
      gone = true
    }
  }, [pdf, number])
  useEffect(() => {
    if (!page || !canvas.current) return
    return drawPicture(page, canvas.current, scale, () => setBroken(true))
  }, [page, scale])
  useEffect(() => {
    if (!page || !text.current) return
    return drawText(page, text.current, drawn => reportText(number, drawn))
  }, [page, number])
  // After rendering was cancelled: releases the images of the page.
  useEffect(() => () => void page?.cleanup(), [page])
  if (broken) return <p className={styles.broken}>{t('preview.damaged')}</p>
  const style: CSSProperties & Record<'--total-scale-factor', number> = { '--total-scale-factor': scale }
  return (
    <div className={styles.layers} style={style}>
      <canvas ref={canvas} className={styles.picture} />
      <div ref={text} className={styles.text} />
      {page && <Links pdf={pdf} page={page} onGoTo={onGoTo} />}
    </div>
  )
}

/**
 * @returns the function that cancels
 */
function drawPicture(page: PDFPageProxy, canvas: HTMLCanvasElement, scale: number, onBroken: () => void): () => void {
  const viewport = page.getViewport({ scale })
  const sharpest = Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height))
  const ratio = Math.min(devicePixelRatio, sharpest)
  // Drawn off-screen first: a page being zoomed keeps its old image in the meantime.
  const fresh = document.createElement('canvas')
  fresh.width = Math.max(1, Math.floor(viewport.width * ratio))
  fresh.height = Math.max(1, Math.floor(viewport.height * ratio))
  const task = page.render({ canvas: fresh, viewport, transform: [ratio, 0, 0, ratio, 0, 0] })
  task.promise.then(
    () => {
      canvas.width = fresh.width
      canvas.height = fresh.height
      canvas.getContext('2d')?.drawImage(fresh, 0, 0)
      canvas.dataset.drawn = ''
    },
    (error: unknown) => !(error instanceof RenderingCancelledException) && onBroken(),
  )
  return () => task.cancel()
}

/** Renders the text layer, in sizes that follow the scale. @returns the function that removes it */
function drawText(
  page: PDFPageProxy,
  container: HTMLElement,
  tell: (drawn: DrawnText | undefined) => void,
): () => void {
  let gone = false
  const source = page.getTextContent()
  const stop = source.then(content => {
    if (gone) return undefined
    const layer = new TextLayer({ textContentSource: content, container, viewport: page.getViewport({ scale: 1 }) })
    layer.render().then(
      () => {
        const pieces = content.items.flatMap(item => ('str' in item ? [item] : []))
        if (!gone) tell({ ...joined(pieces), elements: layer.textDivs })
      },
      () => undefined,
    )
    return () => layer.cancel()
  })
  // A page without readable text still has its image.
  stop.catch(() => undefined)
  return () => {
    gone = true
    stop.then(cancel => cancel?.()).catch(() => undefined)
    container.replaceChildren()
    tell(undefined)
  }
}
