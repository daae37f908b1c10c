import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { rawBody } from '../../routing/route.ts'
import { parseXml, type XmlElement } from './xml-reader.ts'

/** The root element of a body; nothing without one. @throws AppError `body_too_large`, `bad_request` */
export async function xmlBodyOf(request: FastifyRequest): Promise<XmlElement | undefined> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of rawBody(request).stream) {
    bytes += piece.length
    if (bytes > LIMITS.xmlBody) throw new AppError('body_too_large')
    pieces.push(piece)
  }
  return bytes === 0 ? undefined : parseXml(Buffer.concat(pieces))
}
