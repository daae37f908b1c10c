import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useState } from 'react'
import { openPdf } from './open-pdf.ts'

/** An opened document, with the size of its first page. */
export interface Pdf {
  document: PDFDocumentProxy
  /** Size of its first page at scale 1, in CSS pixels. */
  first: PageSize
}

export interface PageSize {
  width: number
  height: number
}

/** The document needs a password. */
export interface Question {
  /** The last attempt was wrong. */
  wrong: boolean
  /** The attempt is being checked. */
  busy: boolean
  answer(password: string): void
}

interface State {
  pdf?: Pdf
  question?: Question
  error?: unknown
}

/** A document that is open while mounted. @param source API call for its bytes */
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
