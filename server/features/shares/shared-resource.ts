import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileResource } from '../../../shared/api/resources.ts'
import type { SharedResource } from '../../../shared/api/shares.ts'
import { ROOT } from '../../../shared/path.ts'
import { allows } from '../../../shared/permissions.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { findSubtitles } from '../../files/subtitles.ts'
import { type ContentFacts, typeOf } from '../../responses/entry-types.ts'
import { sendListing } from '../../responses/listing.ts'
import { presentItem } from '../../responses/serializers.ts'
import { rightsNow } from './link-rights.ts'
import { downloadsLeft, type OpenedShare, openFile } from './visit-link.ts'

/** What a resource says about the visit. */
export function aboutVisit({
  ticket,
  share,
  owner,
}: OpenedShare): Pick<
  SharedResource,
  'kind' | 'rights' | 'sender' | 'token' | 'downloadsLeft' | 'previewOnly' | 'note'
> {
  const left = downloadsLeft(share)
  return {
    ...(share.purpose === 'edit' && { kind: share.purpose, rights: rightsNow(share, owner) }),
    ...(share.purpose === 'edit' && share.terms.sender !== 'no' && { sender: share.terms.sender }),
    ...(ticket !== undefined && { token: ticket }),
    ...(left !== undefined && { downloadsLeft: left }),
    ...(share.previewOnly && { previewOnly: true }),
    ...(share.terms.note !== '' && { note: share.terms.note }),
  }
}

/**
 * A shared folder, or one below it, sorted by name and with the name of the shared one. Symbolic links that lead out
 * are left out.
 */
export async function sendFolder(
  request: FastifyRequest,
  reply: FastifyReply,
  opened: OpenedShare,
  facts: ContentFacts,
) {
  const { files, entry, folder } = opened
  const listing = await files.listing(entry.path, DEFAULT_SORTING, ({ kind }) => kind !== 'link')
  const path = folder && entry.path !== ROOT ? `${entry.path}/` : entry.path
  const more = { path, name: files.rootName, ...aboutVisit(opened) }
  return sendListing(request, reply, listing, {
    sorting: DEFAULT_SORTING,
    typesOf: facts.typesIn(files, entry.path),
    more,
  })
}

/** A file without its content. A shared file itself has the path `''`, so that the link is its download URL. */
export async function describeFile(opened: OpenedShare, facts: ContentFacts): Promise<FileResource> {
  const { owner, share, single, folder } = opened
  const file = await openFile(opened)
  try {
    const { entry } = file
    const type = await typeOf(file)
    const isSaved =
      share.purpose === 'edit' ? rightsNow(share, owner).includes('modify') : allows(owner.perm, 'replace')
    const shown = type === 'text' && !isSaved ? 'textImmutable' : type
    const path = single ? '' : folder ? `${entry.path}/` : entry.path
    const item = { ...presentItem(entry, shown), isDir: false as const }
    const resource = { ...item, ...(await facts.resolutionOf(file, type)), path }
    // Files next to a shared file are shared with its folder only.
    const subtitles = type === 'video' && !single ? await findSubtitles(opened.files, entry) : []
    return subtitles.length > 0 ? { ...resource, subtitles } : resource
  } finally {
    await file.close()
  }
}
