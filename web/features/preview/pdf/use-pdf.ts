import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useState } from 'react'
import { openPdf } from './open-pdf.ts'

/** An opened document, and what is known of its pages from the first one. */
export interface Pdf {
  document: PDFDocumentProxy
  /** Size of its first page at scale 1, in CSS pixels. */
  first: PageSize
}

export interface PageSize {
  width: number
  height: number
}

/** The password of a document is wanted. */
export interface Question {
  /** The last answer was. */
  wrong: boolean
  /** The answer is being tried. */
  busy: boolean
  answer(password: string): void
}

interface State {
  pdf?: Pdf
  question?: Question
  error?: unknown
}

/** A document that is open as long as the component is there. @param source call that answers its bytes */
export function usePdf(source: string): State & { retry: () => void } {
  const [state, setState] = useState<State>({})
  const [attempt, setAttempt] = useState({ source })
  useEffect(() => {
    let gone = false
    const opening = openPdf(attempt.source, (hand, wrong) => {
      const answer = (password: string) => {
        setState({ question: { wrong, busy: true, answer } })
        hand(password)
      }
      if (!gone) setState({ question: { wrong, busy: false, answer } })
    })
    measured(opening.document).then(
      pdf => !gone && setState({ pdf }),
      (error: unknown) => !gone && setState({ error }),
    )
    return () => {
      gone = true
      opening.close()
    }
  }, [attempt])
  const retry = () => {
    setState({})
    setAttempt({ source })
  }
  return { ...state, retry }
}

async function measured(opening: Promise<PDFDocumentProxy>): Promise<Pdf> {
  const document = await opening
  const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 })
  return { document, first: { width, height } }
}
