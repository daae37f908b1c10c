import { mimeOf } from '../file-types/file-type.ts'
import { contentDisposition } from './disposition.ts'

/**
 * The policy for stored files opened from this origin: no scripts, no forms, no requests to this server, and an opaque
 * origin.
 */
export const STORED_CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; media-src data:; sandbox"
/** Built-in viewers for PDF do not start in a sandboxed document. */
const PDF_POLICY = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; script-src 'none'"

/**
 * The headers of every response with stored content (http-api 5).
 * @param inline show it, with its own type; otherwise an attachment, as `application/octet-stream`
 * @param shownAs overrides the type of the file name
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
