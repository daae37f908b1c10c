import { mimeOf } from '../file-types/file-type.ts'
import { contentDisposition } from './disposition.ts'

/**
 * What a stored file may do in a browser when it is opened from here: nothing. Scripts, forms and requests to this
 * server are off, and its origin is nobody's.
 */
export const STORED_CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; sandbox"
/** Built-in viewers for PDF do not start in a sandboxed document. */
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; script-src 'none'"

/**
 * The headers that every answer with stored content carries (http-api 5).
 * @param inline to be shown, with its own type; otherwise to be saved, as bytes of no type
 * @param shownAs the type to be shown as, when the name does not tell
 */
export function storedHeaders(name: string, inline: boolean, shownAs: string = mimeOf(name)): Record<string, string> {
  return {
    'Content-Type': inline ? typeWithCharset(shownAs) : 'application/octet-stream',
    'Content-Disposition': contentDisposition(inline ? 'inline' : 'attachment', name),
    'Content-Security-Policy': inline && shownAs === 'application/pdf' ? PDF_POLICY : STORED_CONTENT_POLICY,
    'Cache-Control': 'private, no-cache',
  }
}

const typeWithCharset = (type: string) => (type.startsWith('text/') ? `${type}; charset=utf-8` : type)
