import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { childOf, type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import type { Existing } from './job.ts'
import type { NewJob } from './queue.ts'
import type { Chosen } from './walk.ts'

/** Cached listing of a folder, without a request. */
export type KnownFolder = (path: FilePath) => Pick<FolderResource, 'items'> | undefined

/**
 * The jobs for chosen files. A file whose full path exists starts as a conflict: paths are compared, because an
 * existing folder is not a conflict for its files. An existing folder is not counted as an upload.
 */
export function jobsFor(folder: FilePath, { items, unreadable }: Chosen, known: KnownFolder): NewJob[] {
  const find = entryFinder(known)
  const jobs = items.map(({ path, file }): NewJob => {
    const target = below(folder, path)
    const entry = find(target)
    return { path: target, file, existing: entry && (file || entry.isDir) ? existingOf(entry) : undefined }
  })
  for (const { path, reason } of unreadable) {
    const failure = { reason: reason === 'bad-name' ? ('badName' as const) : ('unreadable' as const), message: '' }
    // An invalid name can't be part of a path; it is only shown.
    const target = reason === 'bad-name' ? (`${folder}/${path}` as FilePath) : below(folder, path)
    jobs.push({ path: target, file: undefined, existing: undefined, failure })
  }
  return jobs
}

/** Maximum number of folders listed in advance; conflicts in others are reported by the server. */
const MAX_ASKED = 200

/**
 * Lists the existing destination folders, so that conflicts are found before bytes are sent.
 * @param ask loads a folder's listing
 */
export async function listDestinations(
  folder: FilePath,
  { items }: Chosen,
  known: KnownFolder,
  ask: (path: FilePath) => Promise<unknown>,
): Promise<void> {
  await ask(folder)
  const find = entryFinder(known)
  let asked = 0
  for (const { path, file } of items) {
    const target = below(folder, path)
    // Parents come before their children, so theirs is loaded.
    if (file || asked >= MAX_ASKED || !find(target)?.isDir) continue
    asked += 1
    await ask(target)
  }
}

export function existingOf({ size, modified, isDir }: ResourceItem): Existing {
  return { size, modified: Date.parse(modified), isDir }
}

function below(folder: FilePath, path: string): FilePath {
  return path.split('/').reduce(childOf, folder)
}

/** Looks up entries by path; a folder's names are indexed once, so that ten thousand files stay fast. */
function entryFinder(known: KnownFolder): (path: FilePath) => ResourceItem | undefined {
  const indexed = new Map<FilePath, Map<string, ResourceItem>>()
  return path => {
    const parent = parentOf(path)
    let names = indexed.get(parent)
    if (!names) {
      names = new Map(known(parent)?.items.map(item => [item.name, item]))
      indexed.set(parent, names)
    }
    return names.get(nameOf(path))
  }
}
