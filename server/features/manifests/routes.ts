import * as z from 'zod/mini'
import { VerifiedFile } from '../../../shared/api/manifests.ts'
import type { FilesService } from '../../files/files-service.ts'
import { storedHeaders } from '../../responses/content-headers.ts'
import { FORMATS, type SeveralFormat } from '../../responses/ndjson.ts'
import { streamItems } from '../../responses/stream-items.ts'
import { callerOf, clientGone, queryOf, type Route, target } from '../../routing/route.ts'
import { encodeManifest, formatComment, formatLine, MANIFEST_NAME } from './format.ts'
import { type SummedFile, sumsBelow, verify } from './manifest.ts'

export interface ManifestsDeps {
  files: FilesService
}

const MANIFEST: SeveralFormat = {
  type: 'text/plain; charset=utf-8',
  start: '',
  between: '',
  after: '',
  end: () => '',
  item: value => lineOf(value as SummedFile),
  beat: formatComment(''),
  encode: encodeManifest,
}

/** Checksums of folders as `sha256sum` writes and reads them (http-api 21). */
export function manifestRoutes({ files }: ManifestsDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/manifest/*',
      access: 'user',
      token: 'read',
      queryToken: true,
      describes: {
        summary: 'Get the SHA-256 checksums of all files below a folder',
        query: { fresh: { text: '`true` reads every file, also where its checksum is known.', type: 'boolean' } },
        answers: {
          200: {
            text: 'Lines for `sha256sum -c`, sent as they are computed; a comment names each file that could not be read.',
            type: MANIFEST.type,
          },
        },
        refuses: [403, 404],
      },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        const signal = clientGone(request, reply)
        const entry = await own.info(target(request).path)
        const items = await sumsBelow(own, entry, { signal, fresh: queryOf(request, 'fresh') === 'true' })
        reply.headers({ ...storedHeaders(MANIFEST_NAME, false), 'Content-Type': MANIFEST.type })
        return reply.send(streamItems({ items }, MANIFEST, signal))
      },
    },
    {
      method: 'GET',
      path: '/api/verify/*',
      access: 'user',
      token: 'read',
      describes: {
        summary: 'Compare files with the checksums in a manifest',
        path: 'A file with lines of `sha256sum`; the names in it are relative to its folder.',
        answers: {
          200: {
            text: 'A result for each line, sent as it is known.',
            type: FORMATS.lines.type,
            schema: z.array(VerifiedFile),
          },
        },
        refuses: [403, 404, 413],
      },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        const signal = clientGone(request, reply)
        const items = await verify(own, target(request).path, signal)
        return reply.type(FORMATS.lines.type).send(streamItems({ items }, FORMATS.lines, signal))
      },
    },
  ]
}

function lineOf(file: SummedFile): string {
  return 'sum' in file ? formatLine(file) : formatComment(`${file.code}: ${file.unread}`)
}
