import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** A place in a document. */
export interface Place {
  /** From 1. */
  page: number
  /** From the upper edge of the page, as a fraction of its height. */
  share: number
}

/** Types of destinations by the index of their upper edge (PDF 2.0, 12.3.2.2). */
const TOPS: Readonly<Record<string, number>> = { XYZ: 3, FitH: 2, FitBH: 2, FitR: 5 }

/** The target of a link or outline item; `undefined` without a valid one. */
export async function placeOf(document: PDFDocumentProxy, destination: unknown): Promise<Place | undefined> {
  const found: unknown = typeof destination === 'string' ? await document.getDestination(destination) : destination
  if (!Array.isArray(found)) return undefined
  const [target, kind] = found as [unknown, { name?: string } | undefined]
  const page = typeof target === 'number' ? target + 1 : await numberOf(document, target)
  if (page === undefined || page > document.numPages) return undefined
  const top: unknown = found[TOPS[kind?.name ?? ''] ?? found.length]
  if (typeof top !== 'number') return { page, share: 0 }
  const viewport = (await document.getPage(page)).getViewport({ scale: 1 })
  const [, y = 0] = viewport.convertToViewportPoint(0, top)
  return { page, share: Math.min(1, Math.max(0, y / viewport.height)) }
}

async function numberOf(document: PDFDocumentProxy, target: unknown): Promise<number | undefined> {
  if (typeof target !== 'object' || target === null || !('num' in target && 'gen' in target)) return undefined
  const { num, gen } = target
  if (typeof num !== 'number' || typeof gen !== 'number') return undefined
  return (await document.getPageIndex({ num, gen })) + 1
}
