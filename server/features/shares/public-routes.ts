import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PictureSizes } from '../../../shared/api/picture-sizes.ts'
import { PREVIEW_SIZES, type PreviewSize } from '../../../shared/api/previews.ts'
import { SharedResource } from '../../../shared/api/shares.ts'
import type { ArchiveIndexes } from '../../archives/read/index-cache.ts'
import { AppError } from '../../errors.ts'
import type { Entry, OpenFile } from '../../files/types.ts'
import { sendArchive } from '../../responses/archive.ts'
import { listArchive, sendMember } from '../../responses/archive-entries.ts'
import type { ContentFacts } from '../../responses/entry-types.ts'
import {
  ARCHIVE_QUERY,
  CONDITIONS,
  DOWNLOADS,
  INLINE,
  LISTED,
  LISTED_ARCHIVE,
  PREVIEWS,
  REFUSED_DOWNLOADS,
  REFUSED_PREVIEWS,
  SENT_DOCUMENT,
  SENT_MEMBER,
  SENT_SUBTITLES,
  SIZED_PICTURES,
  VERSION_KEY,
} from '../../responses/openapi-fragments.ts'
import { measurePictures } from '../../responses/picture-sizes.ts'
import { sendFile } from '../../responses/send.ts'
import { queryOf, type Route, remark } from '../../routing/route.ts'
import { Downloads } from './downloads.ts'
import { presentRequest } from './file-requests.ts'
import { RateLimit } from './rate-limit.ts'
import { aboutVisit, describeFile, sendFolder } from './shared-resource.ts'
import {
  demandContent,
  demandDownloads,
  type OpenDeps,
  openFile,
  openShare,
  openVisited,
  visitLink,
} from './visit-link.ts'
import { Visits } from './visits.ts'

export interface PublicDeps extends Omit<OpenDeps, 'rateLimit'> {
  facts: ContentFacts
  archives: ArchiveIndexes
  /** Sends a preview of a file. */
  sendPreview(
    request: FastifyRequest,
    reply: FastifyReply,
    open: () => Promise<OpenFile>,
    size: PreviewSize,
    /** Whether only rendered images are sent, never the file itself. */
    rendered?: boolean,
  ): Promise<FastifyReply>
  /** Sends an office document as PDF. */
  sendDocument(request: FastifyRequest, reply: FastifyReply, open: () => Promise<OpenFile>): Promise<FastifyReply>
  /** Sends a subtitle file as WebVTT. */
  sendSubtitles(
    request: FastifyRequest,
    reply: FastifyReply,
    entry: Entry,
    open: () => Promise<OpenFile>,
  ): Promise<FastifyReply>
}

const SHARED_PATH = 'The name of the link, and after a slash a path in the folder it shares.'
const TOKEN = 'The token that a response to the right password contained; it allows downloads for an hour.'
const PASSWORD = 'The password of the link, percent-encoded.'
const LOCKED = {
  401: { text: 'The link has a password, and it was wrong or missing.' },
  429: { text: 'Too many wrong links or passwords; retry later.', headers: { 'Retry-After': 'Seconds to wait.' } },
}

/** The routes for holders of a link: view and download (http-api 10.2). Nothing here can write:
 * visitors do so by `/api/public/tus` and `/api/public/resources`. */
export function publicRoutes(given: PublicDeps): Route[] {
  const deps: OpenDeps = { ...given, rateLimit: new RateLimit(given.db) }
  const visits = new Visits(given.db)
  const downloads = new Downloads({ ...given, visits })
  return [
    {
      method: 'GET',
      path: '/api/public/share/*',
      access: 'public',
      records: 'share.open',
      describes: {
        summary: 'Get what a link leads to',
        path: SHARED_PATH,
        query: { token: TOKEN },
        headers: { ...LISTED.headers, 'X-SHARE-PASSWORD': PASSWORD },
        answers: {
          200: {
            text: `The shared folder or file. ${LISTED.rows}`,
            type: LISTED.type,
            headers: LISTED.version,
            schema: SharedResource,
          },
          ...LISTED.unchanged,
          ...LOCKED,
        },
        refuses: [403],
      },
      async handler(request, reply) {
        const visited = await visitLink(deps, request)
        const { share } = visited
        demandDownloads(share)
        const shown = share.purpose === 'drop' ? await presentRequest(deps, visited) : undefined
        const opened = shown ? undefined : await openVisited(deps, visited)
        await visits.opened(share.hash, visited.sub, request)
        if (!opened) return shown
        if (opened.entry.kind === 'folder') return sendFolder(request, reply, opened, given.facts)
        const resource = await describeFile(opened, given.facts)
        return { ...resource, ...aboutVisit(opened) }
      },
    },
    {
      method: ['GET', 'HEAD'],
      path: '/api/public/dl/*',
      access: 'public',
      records: 'download',
      stored: true,
      describes: {
        summary: 'Download what a link leads to',
        path: SHARED_PATH,
        query: { ...ARCHIVE_QUERY, inline: INLINE, token: TOKEN },
        headers: { ...CONDITIONS, 'X-SHARE-PASSWORD': PASSWORD },
        answers: { ...DOWNLOADS, ...LOCKED },
        refuses: [403, ...REFUSED_DOWNLOADS],
      },
      async handler(request, reply) {
        const opened = await openVisited(
          deps,
          await downloads.admit(request, demandContent(await visitLink(deps, request))),
        )
        const { entry, files, share } = opened
        if (entry.kind === 'folder') {
          return downloads.counted(request, reply, opened, () => sendArchive(request, reply, files, entry))
        }
        const inline = queryOf(request, 'inline') === 'true'
        if (inline) remark(request, { action: 'read' })
        const file = await openFile(opened)
        const options = { inline, direct: share.maxDownloads === null }
        return downloads.countedFile(request, reply, share, file, () => sendFile(request, reply, file, options))
      },
    },
    ...archiveRoutes(deps, given.archives, downloads),
    ...PREVIEW_SIZES.map(size => previewRoute(deps, given.sendPreview, size)),
    documentRoute(deps, given.sendDocument),
    pictureSizesRoute(deps, given.facts),
    subtitleRoute(deps, given.sendSubtitles, downloads),
  ]
}

/** The same routes as for users. */
function archiveRoutes(deps: OpenDeps, archives: ArchiveIndexes, downloads: Downloads): Route[] {
  const shared = {
    path: SHARED_PATH,
    headers: { 'X-SHARE-PASSWORD': PASSWORD },
  }
  return [
    {
      method: 'GET',
      path: '/api/public/archives/list/*',
      access: 'public',
      records: 'read',
      describes: {
        summary: 'List a folder in an archive behind a link',
        ...shared,
        query: { ...LISTED_ARCHIVE.query, token: TOKEN },
        answers: { ...LISTED_ARCHIVE.answers, ...LOCKED },
        refuses: [403, ...LISTED_ARCHIVE.refuses],
      },
      async handler(request, reply) {
        const visited = demandContent(await visitLink(deps, request))
        demandDownloads(visited.share)
        return listArchive(request, reply, await openFile(await openVisited(deps, visited)), archives)
      },
    },
    {
      method: ['GET', 'HEAD'],
      path: '/api/public/archives/member/*',
      access: 'public',
      records: 'download',
      stored: true,
      describes: {
        summary: 'Download a file from an archive behind a link',
        ...shared,
        query: { ...SENT_MEMBER.query, token: TOKEN },
        headers: { ...CONDITIONS, ...shared.headers },
        answers: { ...DOWNLOADS, ...LOCKED },
        refuses: [403, ...SENT_MEMBER.refuses],
      },
      async handler(request, reply) {
        const opened = await openVisited(
          deps,
          await downloads.admit(request, demandContent(await visitLink(deps, request))),
        )
        if (queryOf(request, 'inline') === 'true') remark(request, { action: 'read' })
        const file = await openFile(opened)
        const send = () => sendMember(request, reply, file, archives)
        return downloads.countedFile(request, reply, opened.share, file, send)
      },
    },
  ]
}

function previewRoute(deps: OpenDeps, sendPreview: PublicDeps['sendPreview'], size: PreviewSize): Route {
  return {
    method: ['GET', 'HEAD'],
    path: `/api/public/preview/${size}/*`,
    access: 'public',
    records: size === 'big' ? 'read' : 'nothing',
    stored: true,
    describes: {
      summary: `Get a preview of a file behind a link, in the size ${size}`,
      path: SHARED_PATH,
      query: { inline: INLINE, key: VERSION_KEY, token: TOKEN },
      headers: { ...CONDITIONS, 'X-SHARE-PASSWORD': PASSWORD },
      answers: { ...PREVIEWS, ...LOCKED },
      refuses: [403, ...REFUSED_PREVIEWS],
    },
    async handler(request, reply) {
      const opened = await openShare(deps, request)
      const { maxDownloads, previewOnly } = opened.share
      return sendPreview(request, reply, () => openFile(opened), size, maxDownloads !== null || previewOnly)
    },
  }
}

/** A link whose downloads are counted, or that shows previews only, has no pages of documents. */
function documentRoute(deps: OpenDeps, sendDocument: PublicDeps['sendDocument']): Route {
  return {
    method: ['GET', 'HEAD'],
    path: '/api/public/paper/*',
    access: 'public',
    records: 'read',
    stored: true,
    describes: {
      summary: 'Get an office document behind a link as PDF',
      path: SHARED_PATH,
      query: { ...SENT_DOCUMENT.query, token: TOKEN },
      headers: { ...SENT_DOCUMENT.headers, 'X-SHARE-PASSWORD': PASSWORD },
      answers: { ...SENT_DOCUMENT.answers, ...LOCKED },
      refuses: [403, ...SENT_DOCUMENT.refuses],
    },
    async handler(request, reply) {
      const visited = demandContent(await visitLink(deps, request))
      if (visited.share.maxDownloads !== null) throw new AppError('forbidden')
      const opened = await openVisited(deps, visited)
      return sendDocument(request, reply, () => openFile(opened))
    },
  }
}

/** The same route as for users. */
function pictureSizesRoute(deps: OpenDeps, facts: ContentFacts): Route {
  return {
    method: 'GET',
    path: '/api/public/picture-sizes/*',
    access: 'public',
    records: 'nothing',
    describes: {
      summary: 'Get the sizes and dates of images in a folder behind a link',
      path: SHARED_PATH,
      query: { ...SIZED_PICTURES.query, token: TOKEN },
      headers: { 'X-SHARE-PASSWORD': PASSWORD },
      answers: { ...SIZED_PICTURES.answers, ...LOCKED },
      refuses: SIZED_PICTURES.refuses,
    },
    async handler(request): Promise<PictureSizes> {
      const { files, entry } = await openShare(deps, request)
      return measurePictures(request, files, entry.path, facts)
    },
  }
}

function subtitleRoute(deps: OpenDeps, sendSubtitles: PublicDeps['sendSubtitles'], downloads: Downloads): Route {
  return {
    method: 'GET',
    path: '/api/public/subtitle/*',
    access: 'public',
    records: 'read',
    describes: {
      summary: 'Get a subtitle file behind a link as WebVTT',
      path: SHARED_PATH,
      query: { ...SENT_SUBTITLES.query, token: TOKEN },
      headers: { 'X-SHARE-PASSWORD': PASSWORD },
      answers: { ...SENT_SUBTITLES.answers, ...LOCKED },
      refuses: [403, ...SENT_SUBTITLES.refuses],
    },
    async handler(request, reply) {
      const opened = await openVisited(
        deps,
        await downloads.admit(request, demandContent(await visitLink(deps, request))),
      )
      const send = () => sendSubtitles(request, reply, opened.entry, () => openFile(opened))
      return downloads.counted(request, reply, opened, send)
    },
  }
}
