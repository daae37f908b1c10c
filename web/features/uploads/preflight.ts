import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { childOf, type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import type { Existing } from './job.ts'
import type { NewJob } from './queue.ts'
import type { Chosen } from './walk.ts'

/** What is known of a folder without asking the server. */
export type KnownFolder = (path: FilePath) => Pick<FolderResource, 'items'> | undefined

/**
 * The jobs for what was chosen. A file whose full path is known to exist starts as a conflict: whole paths are
 * compared, because a folder of the same name alone is none. A folder that exists is not counted as an upload.
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
    // A name that is none can't be part of a path; it is only shown.
    const target = reason === 'bad-name' ? (`${folder}/${path}` as FilePath) : below(folder, path)
    jobs.push({ path: target, file: undefined, existing: undefined, failure })
  }
  return jobs
}

/** Folders asked for what is in them before anything is sent; what stands in others is told by the server. */
const MAX_ASKED = 200

/**
 * Asks for the listings of all folders that files go to, as far as they are there, so that conflicts are settled before
 * bytes move.
 * @param ask loads a folder's listing
 */
export async function lookAhead(
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
    // Folders come before what is in them, so the one above has been asked.
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

/** Looks entries up by path; a folder's names are indexed once, so that ten thousand files stay quick. */
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
