import type { EditRight } from '../../../../shared/api/shares.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { announce } from '../../../lib/announce.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { followNetwork } from '../follow-network.ts'
import type { JobFailure } from '../job.ts'
import { jobsFor, listDestinations } from '../preflight.ts'
import { UploadQueue } from '../queue.ts'
import { tallyText } from '../tally-text.ts'
import type { Uploader } from '../uploader.ts'
import type { Chosen } from '../walk.ts'
import { editTransport, type LinkVisitor } from './transport.ts'

/** What a visitor uploads through a link to edit. It outlives the page, which a password that has changed replaces. */
export interface VisitorUploads {
  visitor: LinkVisitor
  rights: readonly EditRight[]
  uploader: Uploader
}

const opened = new Map<string, VisitorUploads>()

export function uploadsOf(hash: string, folders: LinkFolders): VisitorUploads {
  const found = opened.get(hash) ?? open(hash, folders)
  opened.set(hash, found)
  return found
}

function open(hash: string, folders: LinkFolders): VisitorUploads {
  const visitor: LinkVisitor = { hash, ticket: undefined }
  const queue = new UploadQueue(editTransport(() => visitor))
  followNetwork(queue)
  queue.onSettled(report => {
    const { done, skipped, failed } = report
    if (done > 0) void folders.reload()
    if (failed > 0) announce(tallyText(report))
    else if (done + skipped > 0) notify(done > 0 ? 'success' : 'info', tallyText(report))
  })
  const uploads: VisitorUploads = {
    visitor,
    rights: [],
    uploader: {
      queue,
      list: folders.list,
      entry: (folder, name) => folders.known(folder)?.find(item => item.name === name),
      reasonText,
      mayReplace: () => uploads.rights.includes('modify'),
    },
  }
  return uploads
}

/** Uploads chosen files into a folder of the link, after checking for conflicts. */
export async function uploadInto(
  { uploader: { queue } }: VisitorUploads,
  { list, known }: LinkFolders,
  folder: FilePath,
  chosen: Chosen,
): Promise<void> {
  const folderOf = (path: FilePath) => {
    const items = known(path)
    return items && { items: [...items] }
  }
  // Where the check fails, the server reports conflicts file by file.
  await listDestinations(folder, chosen, folderOf, path => list(path).catch(() => undefined))
  const jobs = jobsFor(folder, chosen, folderOf)
  announce(t('uploads.announceStart', { count: jobs.length }))
  queue.add(jobs)
}

/** Why an upload failed, for a visitor. */
function reasonText({ reason, message }: JobFailure): string {
  if (reason === 'forbidden') return t('links.notAllowed')
  if (reason === 'quota' || reason === 'noSpace') return t('links.ownerFull')
  return reason === 'other' ? t('uploads.reason.other', { message }) : t(`uploads.reason.${reason}`)
}
