import {
  GlobalWorkerOptions,
  getDocument,
  PasswordResponses,
  type PDFDocumentProxy,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import { ApiError, apiUrl } from '../../../lib/api.ts'
import { pageConfig } from '../../../lib/config.ts'
import { MAX_DOCUMENT_BYTES } from '../document/bytes.ts'
import { UnreadableError } from '../document/unreadable.ts'

/** Bytes of a document fetched at a time, as its pages come into sight. */
const RANGE = 256 * 1024
/** Pixels of the largest picture in a document that is decoded. */
const MAX_PICTURE = 64 * 1024 * 1024

/** A document that is being opened. */
export interface Opening {
  /** @throws ApiError @throws UnreadableError */
  document: Promise<PDFDocumentProxy>
  /** Stops it, or lets go of what was opened. */
  close(): void
}

/** Hands the password over; whether it is right is told by another question, or by the document. */
export type Answer = (password: string) => void

/**
 * Opens a PDF file off the page.
 * @param source call that answers its bytes, without the base URL
 * @param onPassword asked for the password of a document that has one, until it is right; `wrong` after the first time
 */
export function openPdf(source: string, onPassword: (answer: Answer, wrong: boolean) => void): Opening {
  GlobalWorkerOptions.workerSrc = workerUrl
  // Character maps, fonts and decoders, put there by the build. The page's policy lets no WebAssembly run.
  const files = new URL(`${pageConfig.StaticURL}/assets/pdf-${version}/`, location.href).href
  const task = getDocument({
    url: new URL(apiUrl(source), location.href).href,
    rangeChunkSize: RANGE,
    disableAutoFetch: true,
    disableStream: true,
    disableWorkerRendering: true,
    maxImageSize: MAX_PICTURE,
    useWasm: false,
    useWorkerFetch: true,
    cMapUrl: files,
    standardFontDataUrl: files,
    wasmUrl: files,
    verbosity: 0,
  })
  task.onPassword = (answer: Answer, reason: number) =>
    onPassword(answer, reason === PasswordResponses.INCORRECT_PASSWORD)
  // A whole one is open after a few ranges; what is damaged is searched to its end, however far away that is.
  const search = Promise.withResolvers<never>()
  task.onProgress = ({ loaded }: { loaded: number }) => {
    if (loaded > MAX_DOCUMENT_BYTES) search.reject(new UnreadableError('damaged'))
  }
  return {
    document: Promise.race([task.promise, search.promise]).catch((error: unknown) => {
      throw translated(error)
    }),
    close: () => void task.destroy(),
  }
}

/** What the library throws, in our own terms. */
function translated(error: unknown): Error {
  const { name = '', status } = error as { name?: string; status?: number }
  if (error instanceof UnreadableError) return error
  return name === 'ResponseException' ? new ApiError(status ?? 0, name) : new UnreadableError('damaged', error)
}
