import { buffer } from 'node:stream/consumers'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Entry, OpenFile } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { storedHeaders } from '../../responses/content-headers.ts'
import { SENT_SUBTITLES } from '../../responses/openapi-fragments.ts'
import { callerOf, queryOf, type Route, target } from '../../routing/route.ts'
import { isSubtitle, toVtt } from './convert.ts'

/** The size limit of a subtitle file, in bytes; it is converted in memory. */
export const MAX_SUBTITLE_BYTES = LIMITS.subtitle

export interface SubtitlesDeps {
  files: FilesService
}

/** Subtitles as WebVTT (http-api 7). */
export function subtitleRoutes({ files }: SubtitlesDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/subtitle/*',
      access: 'user',
      token: 'read',
      records: 'read',
      queryToken: true,
      describes: {
        summary: 'Get a subtitle file as WebVTT',
        ...SENT_SUBTITLES,
      },
      async handler(request, reply) {
        const { path } = target(request)
        const own = await files.for(callerOf(request).user)
        return sendSubtitles(request, reply, await own.info(path), () => own.open(path))
      },
    },
  ]
}

/** Sends a subtitle file as WebVTT. @throws AppError `bad_request` for any other file, `body_too_large` */
export async function sendSubtitles(
  request: FastifyRequest,
  reply: FastifyReply,
  { kind, name }: Entry,
  open: () => Promise<OpenFile>,
): Promise<FastifyReply> {
  if (kind === 'folder' || !isSubtitle(name)) throw new AppError('bad_request', 'not a subtitle file')
  const content = await readWhole(await open())
  return reply
    .headers(storedHeaders(name, queryOf(request, 'inline') === 'true'))
    .type('text/vtt; charset=utf-8')
    .send(toVtt(name, content))
}

/** @throws AppError `body_too_large` */
async function readWhole(file: OpenFile): Promise<Buffer> {
  try {
    if (file.entry.size > MAX_SUBTITLE_BYTES) throw new AppError('body_too_large')
    return file.entry.size === 0 ? Buffer.alloc(0) : await buffer(file.stream())
  } finally {
    await file.close()
  }
}
