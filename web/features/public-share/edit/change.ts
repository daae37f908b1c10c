import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { childOf, type FilePath, nameOf, parentOf, parsePath, trustedChild } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { currentPrompt } from '../../../lib/prompts.ts'
import { errorMessageOf } from '../../files/api/error-messages.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { type Failure, tryEach } from '../../files/api/try-each.ts'
import { createSharedFolder, deleteShared, renameShared } from '../api/edit.ts'
import type { Link } from '../link.ts'

/** Why a link refused a change, as a sentence. */
export function refusalText(error: unknown, name = ''): string {
  if (!(error instanceof ApiError)) return errorMessageOf(error)
  if (error.status === 401) return t('publicShare.locked')
  if (isNameMissing(error)) return t('links.nameMissing')
  if (error.status === 409 && name !== '') return t('files.nameTaken', { name })
  if (error.code === 'no_space' || error.code === 'quota_exceeded' || error.status === 507) return t('links.ownerFull')
  if (error.code === 'link_paused') return t('links.pausedWhy')
  if (error.status === 403 && error.code !== 'server_refused') return t('links.notAllowed')
  return errorMessageOf(error)
}

/** The link has begun to ask for names since the page was loaded. */
const isNameMissing = ({ status, message }: ApiError) => status === 400 && message.includes('sender')

/** @param retry asks for the name again */
export async function makeFolder(
  link: Link,
  folders: LinkFolders,
  { folder, name, retry }: { folder: FilePath; name: string; retry: (problem: string) => void },
): Promise<void> {
  try {
    await createSharedFolder(link, childOf(folder, name))
    notify('success', t('naming.created', { name }))
  } catch (error) {
    refuse(error, name, retry)
  }
  await folders.reload()
}

/** @param retry asks for the name again */
export async function renameItem(
  link: Link,
  folders: LinkFolders,
  { item, name, retry }: { item: ResourceItem; name: string; retry: (problem: string) => void },
): Promise<void> {
  const from = parsePath(item.path)
  const to = childOf(parentOf(from), name)
  if (to === from) return
  try {
    await renameShared(link, from, to)
    notify('success', t('naming.renamed', { name }))
  } catch (error) {
    refuse(error, name, retry)
  }
  await folders.reload()
}

/** Asks again for a refused name. Shows a notice instead while something else is asked, and where no name would do. */
function refuse(error: unknown, name: string, retry: (problem: string) => void): void {
  const problem = refusalText(error, name)
  const isAboutName =
    error instanceof ApiError && (error.status === 409 || (error.status === 400 && !isNameMissing(error)))
  if (!isAboutName || currentPrompt()) notify('error', problem)
  else retry(problem)
}

/** Moves items into a folder of the link, and reports the first refusal. @param name of the shared folder */
export async function moveItems(
  link: Link,
  folders: LinkFolders,
  { items, to, name }: { items: readonly ResourceItem[]; to: FilePath; name: string },
): Promise<void> {
  const moved = items.filter(({ path }) => parentOf(parsePath(path)) !== to)
  const failures = await tryEach(moved, item => renameShared(link, parsePath(item.path), trustedChild(to, item.name)))
  const done = doneOf(moved, failures)
  if (done.count > 0) notify('success', t('transfer.movedTo', { ...done, name: nameOf(to) || name }))
  const [failure] = failures
  if (failure) notify('error', refusalText(failure.error, failure.item.name))
  await folders.reload()
}

/** How many items did not fail, and the name of the first. */
function doneOf(items: readonly ResourceItem[], failures: readonly Failure<ResourceItem>[]) {
  const failed = new Set(failures.map(({ item }) => item))
  const done = items.filter(item => !failed.has(item))
  return { count: done.length, item: shownName(done[0]?.name ?? '') }
}

/** Deletes items. @throws ApiError the first refusal, after all have been tried */
export async function deleteAll(link: Link, folders: LinkFolders, items: readonly ResourceItem[]): Promise<void> {
  const failures = await tryEach(items, item => deleteShared(link, item.path))
  const done = doneOf(items, failures)
  if (done.count > 0) notify('success', t('files.deleted', done))
  await folders.reload()
  const [failure] = failures
  if (failure) throw failure.error
}
