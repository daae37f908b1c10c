import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { extensionOf } from '../../../shared/path.ts'
import type { OpenFile } from '../../files/types.ts'
import { sendFile } from '../../responses/send.ts'
import { queryOf } from '../../routing/route.ts'
import type { DocumentPdf, Documents } from './documents.ts'

/** Milliseconds that a request waits for a conversion. */
const PATIENCE = 5000
/** Seconds after which a client asks again. */
const RETRY_AFTER = 1

/**
 * Sends a document as PDF, or 202 while it is being converted (http-api 44).
 * @param open opens it with the rights of the caller
 * @throws what `open` and `Documents.of` throw
 */
export type SendDocument = (
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<OpenFile>,
) => Promise<FastifyReply>

export function documentSender({ documents }: { documents: Documents }): SendDocument {
  return async (request, reply, open) => {
    const file = await open()
    const pdf = await documents.of(file, PATIENCE)
    if (!pdf) return reply.code(202).header('Retry-After', RETRY_AFTER).header('Cache-Control', 'no-store').send()
    const inline = queryOf(request, 'inline') === 'true'
    return sendFile(request, reply, asFile(file, pdf), { inline, shownAs: 'application/pdf' })
  }
}

/** A PDF as a file with the modification time of the document. */
function asFile({ entry }: OpenFile, { bytes, version }: DocumentPdf): OpenFile {
  const name = `${entry.name.slice(0, -extensionOf(entry.name).length)}.pdf`
  return {
    entry: { ...entry, name, size: bytes.length, version },
    stream: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
    close: async () => {},
  }
}
