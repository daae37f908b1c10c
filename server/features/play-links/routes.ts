import type { FastifyReply, FastifyRequest } from 'fastify'
import { PlayLink, PlayLinkRequest } from '../../../shared/api/play-links.ts'
import { encodePath, type FilePath, parsePath } from '../../../shared/path.ts'
import type { Db } from '../../db/schema.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { Entry } from '../../files/types.ts'
import { LIMITS } from '../../limits.ts'
import { storedHeaders } from '../../responses/content-headers.ts'
import { CONDITIONS, DOWNLOADS, REFUSED_DOWNLOADS } from '../../responses/openapi-fragments.ts'
import { sendFile } from '../../responses/send.ts'
import { type AddressConfig, publicAddress } from '../../routing/public-address.ts'
import { callerOf, queryOf, type Route, target } from '../../routing/route.ts'
import { issuePlayTicket, playTicketOf } from '../auth/play-ticket.ts'
import { demandRate } from '../users/hourly-rate.ts'
import { demandPlayed, filesToPlay, playlistOf } from './playlist.ts'

export interface PlayLinksDeps {
  db: Db
  files: FilesService
  config: AddressConfig
  /** Signs the tickets. */
  ticketKey: Uint8Array
}

/** Addresses with which players open video and audio files, without a session of their own (http-api 53). */
export function playLinkRoutes({ db, files, config, ticketKey }: PlayLinksDeps): Route[] {
  const addressOf = async (request: FastifyRequest, path: FilePath, end?: number): Promise<string> => {
    const { sessionId, user } = callerOf(request)
    const ticket = await issuePlayTicket(ticketKey, path, { sessionId, userId: user.id }, end)
    return `${publicAddress(request, config)}/api/play${encodePath(path)}?ticket=${ticket}`
  }
  const sendPlaylist = async (request: FastifyRequest, reply: FastifyReply, own: Files, entry: Entry) => {
    // The tickets in a playlist end with its own: none leads to a later one.
    const { end } = await playTicketOf(ticketKey, request)
    const text = await playlistOf(await filesToPlay(own, entry), path => addressOf(request, path, end))
    return reply
      .headers({ ...storedHeaders(`${entry.name || own.rootName}.m3u8`, false), 'Cache-Control': 'no-store' })
      .type('audio/x-mpegurl; charset=utf-8')
      .send(text)
  }
  return [
    {
      method: 'POST',
      path: '/api/play-links',
      access: 'user',
      token: 'read',
      records: 'nothing',
      schema: PlayLinkRequest,
      describes: {
        summary: 'Get an address with which a player opens a video or audio file, or those of a folder',
        answers: { 200: { text: 'The addresses, which need no further credentials.', schema: PlayLink } },
        refuses: [403, 404, 415, 429],
      },
      async handler(request): Promise<PlayLink> {
        const { user } = callerOf(request)
        const own = await files.for(user)
        const entry = await readable(own, parsePath((request.body as PlayLinkRequest).path))
        await demandRate(db, ['play', String(user.id)], LIMITS.playLinks)
        const url = await addressOf(request, entry.path)
        const expires = new Date(Date.now() + LIMITS.playTicket * 1000).toISOString()
        return { url, playlist: entry.kind === 'folder' ? url : `${url}&playlist=true`, expires }
      },
    },
    {
      method: ['GET', 'HEAD'],
      path: '/api/play/*',
      access: 'user',
      token: 'read',
      records: 'read',
      stored: true,
      playTicket: true,
      describes: {
        summary: 'Read a video or audio file with the ticket of its address, or the playlist of a folder',
        query: {
          ticket: { text: 'From `POST /api/play-links`; no other credential counts.', required: true },
          playlist: { text: '`true` sends a playlist of the file.', type: 'boolean' },
        },
        headers: CONDITIONS,
        answers: DOWNLOADS,
        refuses: [...REFUSED_DOWNLOADS, 415],
      },
      async handler(request, reply) {
        const own = await files.for(callerOf(request).user)
        const entry = await own.info(target(request).path)
        if (entry.kind === 'folder' || queryOf(request, 'playlist') === 'true') {
          return sendPlaylist(request, reply, own, entry)
        }
        demandPlayed(entry)
        return sendFile(request, reply, await own.open(entry.path), { inline: true, direct: false })
      },
    },
  ]
}

/** The entry at a path, if there is something in it that the user may play. @throws AppError as `Files.open` */
async function readable(own: Files, path: FilePath): Promise<Entry> {
  const entry = await own.info(path)
  if (entry.kind === 'folder') return entry
  demandPlayed(entry)
  await (await own.open(path)).close()
  return entry
}
