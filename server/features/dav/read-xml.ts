import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { parseXml, type XmlElement } from '../../lib/xml-reader.ts'
import { LIMITS } from '../../limits.ts'
import { rawBody } from '../../routing/route.ts'

export const DAV = 'DAV:'

/** The XML body of a request; `undefined` for an empty one. @throws AppError `body_too_large`, `bad_request` */
export async function readXml(request: FastifyRequest): Promise<XmlElement | undefined> {
  const { stream, length = 0 } = rawBody(request)
  if (length > LIMITS.xmlBody) throw new AppError('body_too_large')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > LIMITS.xmlBody) throw new AppError('body_too_large')
    pieces.push(piece)
  }
  return bytes === 0 ? undefined : parseXml(Buffer.concat(pieces))
}

/** Whether an element is one of WebDAV. */
export const isDav = ({ namespace, local }: XmlElement, name: string): boolean => namespace === DAV && local === name

/** The elements in an element, without texts between them. */
export const elementsIn = ({ children }: XmlElement): XmlElement[] =>
  children.filter(child => typeof child !== 'string')

export const malformed = (why: string): AppError => new AppError('bad_request', why)
