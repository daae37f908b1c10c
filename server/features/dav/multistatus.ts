import { STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'
import { encodeName } from '../../../shared/bytes.ts'
import { encodePath, type FilePath, ROOT } from '../../../shared/path.ts'
import { escapeText } from './xml-writer.ts'

const START = '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">'
const END = '</D:multistatus>\n'

/** Makes the addresses of paths: with the base URL, and without a host, which a proxy may have changed. */
export function hrefsBelow(baseURL: string): (path: FilePath, isFolder: boolean) => string {
  const base = escapeText(`${baseURL}/dav`)
  // Most items of a listing are in the same folder as the one before. XML has no use for what encoding leaves.
  let last = { folder: '/', href: `${base}/` }
  return (path, isFolder) => {
    if (path === ROOT) return `${base}/`
    const start = path.lastIndexOf('/') + 1
    if (start !== last.folder.length || !path.startsWith(last.folder)) {
      const folder = path.slice(0, start)
      last = { folder, href: base + encodePath(folder) }
    }
    return last.href + encodeName(path.slice(start)) + (isFolder ? '/' : '')
  }
}

/** `HTTP/1.1 404 Not Found`, as an element. */
export const statusElement = (status: number): string =>
  `<D:status>HTTP/1.1 ${status} ${status === 507 ? 'Insufficient Storage' : STATUS_CODES[status]}</D:status>`

/** Properties with one status. @param inside elements after the status */
export const propstat = (properties: string, status: number, inside = ''): string =>
  `<D:propstat><D:prop>${properties}</D:prop>${status === 200 ? OK : statusElement(status)}${inside}</D:propstat>`

const OK = statusElement(200)

export const response = (href: string, content: string): string =>
  `<D:response><D:href>${href}</D:href>${content}</D:response>\n`

/** Sends 207 with one text. */
export function sendMultistatus(reply: FastifyReply, responses: string): FastifyReply {
  return reply.code(207).type('application/xml; charset=utf-8').send(`${START}${responses}${END}`)
}

/** Characters of a piece of a stream. */
export const PIECE = 64 * 1024

/** The document of a 207 in pieces; other work runs between them. @param responses one or more at a time, up to a piece */
export async function* multistatus(responses: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = START
  for await (const text of responses) {
    piece += text
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
    await new Promise(setImmediate)
  }
  yield piece + END
}

/** Whether the first piece of a document is all of it. */
export const isWhole = (piece: string): boolean => piece.endsWith(END)
