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

/** Bytes per range request, as pages come into view. */
const RANGE = 256 * 1024
/** Pixels of the largest image that is decoded. */
const MAX_PICTURE = 64 * 1024 * 1024

/** A document being opened. */
export interface Opening {
  /** @throws ApiError @throws UnreadableError */
  document: Promise<PDFDocumentProxy>
  /** Cancels opening, or releases the document. */
  close(): void
}

/** Submits a password; a wrong one causes another prompt. */
export type Answer = (password: string) => void

/**
 * Opens a PDF file in a worker.
 * @param source API call for its bytes, without the base URL
 * @param onPassword called for the password of a protected document, until it is right; `wrong` after the first attempt
 */
export function openPdf(source: string, onPassword: (answer: Answer, wrong: boolean) => void): Opening {
  GlobalWorkerOptions.workerSrc = workerUrl
  // Character maps, fonts and decoders, placed there by the build. The page's policy allows no WebAssembly.
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
  // An intact file opens after a few ranges; a corrupt one is searched to its end, however far away that is.
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

/** Converts the library's errors to the application's. */
function translated(error: unknown): Error {
  const { name = '', status } = error as { name?: string; status?: number }
  if (error instanceof UnreadableError) return error
  return name === 'ResponseException' ? new ApiError(status ?? 0, name) : new UnreadableError('damaged', error)
}
