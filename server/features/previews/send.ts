import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PreviewSize } from '../../../shared/api/previews.ts'
import { AppError } from '../../errors.ts'
import type { OpenFile } from '../../files/types.ts'
import { typeOf } from '../../responses/entry-types.ts'
import { sendFile } from '../../responses/send.ts'
import { clientGone, queryOf } from '../../routing/route.ts'
import { RETRY_AFTER } from './limits.ts'
import type { Preview, Previews } from './previews.ts'
import { type RendererEntry, rendererFor } from './renderers/index.ts'

type Refused = Extract<Preview, { kind: 'refused' }>

export interface SendPreviewDeps {
  previews: Previews
  config: { thumbnails: boolean; resizePreview: boolean }
}

/**
 * Sends a preview of a file, or the file itself where an image is not scaled (http-api 6); nothing of a document that
 * needs a password.
 * @param open opens it with the rights of the caller
 * @param rendered only rendered images are sent, never the file itself
 * @throws what `open` throws, `unsupported` for a folder and for files without a preview, `undecodable`,
 *   `body_too_large`, `unavailable`
 */
export type SendPreview = (
  request: FastifyRequest,
  reply: FastifyReply,
  open: () => Promise<OpenFile>,
  size: PreviewSize,
  rendered?: boolean,
) => Promise<FastifyReply>

export function previewSender({ previews, config }: SendPreviewDeps): SendPreview {
  return async (request, reply, open, size, rendered = false) => {
    const isOn = size === 'big' ? config.resizePreview : config.thumbnails
    const file = await openFile(open)
    const inline = queryOf(request, 'inline') === 'true'
    const renderer = await closingOnError(file, () => rendererOf(previews, file, isOn))
    const sendItself = async () => {
      if (!rendered) return sendFile(request, reply, file, { inline })
      await file.close()
      throw new AppError('unsupported')
    }
    if (!renderer) return sendItself()
    const preview = await closingOnError(file, () => makePreview(request, reply, previews, file, renderer, size))
    if (preview.kind === 'as_is') return sendItself()
    await file.close()
    if (preview.kind === 'refused') return refuse(reply, preview.code)
    return sendFile(request, reply, asFile(file, preview), { inline, shownAs: preview.type })
  }
}

/** Nothing to show of a locked document is no error: pages of listings would report one for each of them. */
function refuse(reply: FastifyReply, code: Refused['code']): FastifyReply {
  if (code === 'encrypted') return reply.code(204).header('Cache-Control', 'private, no-cache').send()
  throw new AppError(code)
}

function openFile(open: () => Promise<OpenFile>): Promise<OpenFile> {
  return open().catch((thrown: unknown) => {
    throw thrown instanceof AppError && thrown.code === 'is_a_folder' ? new AppError('unsupported') : thrown
  })
}

async function closingOnError<T>(file: OpenFile, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (thrown) {
    await file.close()
    throw thrown
  }
}

/** `undefined` for an image that is sent unchanged. @throws unsupported */
async function rendererOf(previews: Previews, file: OpenFile, isOn: boolean): Promise<RendererEntry | undefined> {
  const renderer = isOn ? rendererFor(file.entry.name) : undefined
  if (renderer && (!renderer.ofStill || (await previews.showVideos()))) return renderer
  if ((await typeOf(file)) !== 'image') throw new AppError('unsupported')
  return undefined
}

async function makePreview(
  request: FastifyRequest,
  reply: FastifyReply,
  previews: Previews,
  file: OpenFile,
  renderer: RendererEntry,
  size: PreviewSize,
): Promise<Preview> {
  try {
    return await previews.of(file, renderer, size, clientGone(request, reply))
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'unavailable') reply.header('Retry-After', RETRY_AFTER)
    throw thrown
  }
}

/** A preview as a file with the name and the modification time of the image. */
function asFile({ entry }: OpenFile, { bytes, version }: Extract<Preview, { kind: 'picture' }>): OpenFile {
  return {
    entry: { ...entry, size: bytes.length, version },
    stream: ({ start, end } = { start: 0, end: bytes.length - 1 }) =>
      Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
    close: async () => {},
  }
}
