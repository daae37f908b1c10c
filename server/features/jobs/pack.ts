import { type FilePath, isWithin, parentOf } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { makeArchive } from '../../files/archive/archive.ts'
import { formatOf } from '../../files/archive/formats.ts'
import type { Files } from '../../files/files.ts'
import type { JobMap } from '../../jobs/job-map.ts'
import type { ItemResult, Tools } from '../../jobs/run.ts'

/** An archive to be made of some things, as a file beside them or elsewhere. */
export interface ArchiveWish extends Omit<JobMap['archive'], 'sources'> {
  to: FilePath
  sources: readonly FilePath[]
}

/** What one attempt to make an archive wrote down. */
interface ArchiveNote {
  goal: FilePath
  began: number
}

/**
 * Makes the archive, all or nothing.
 * @throws exists, not_found, forbidden, bad_request for an unknown format
 */
export async function packArchive(own: Files, wish: ArchiveWish, tools: Tools): Promise<ItemResult> {
  const { sources, conflict } = wish
  const noted = tools.noted as ArchiveNote | undefined
  if (noted && (await wasMade(own, noted))) return { state: 'done', target: noted.goal }
  const format = formatOf(wish.format)
  if (!format) throw new AppError('bad_request')
  const standing = await own.identify(wish.to)
  if (standing !== undefined && conflict === 'skip') return { state: 'skipped' }
  const goal = conflict === 'keepBoth' ? await own.freePath(wish.to) : wish.to
  if (standing === undefined || goal !== wish.to) await tools.note({ goal, began: Date.now() } satisfies ArchiveNote)
  const folder = sources.map(parentOf).reduce(common)
  const onRead = (bytes: number) => tools.progress({ bytes })
  const options = { named: true, onRead, signal: tools.signal }
  const archive = await makeArchive(own, await own.info(folder), sources.map(below(folder)), format, options)
  await own.write(goal, archive.stream(), { override: conflict === 'replace', signal: tools.signal })
  tools.progress({ entries: 1 })
  return { state: 'done', target: goal }
}

/** Nothing stood there when it was begun, so that what was put there since is the archive. */
async function wasMade(own: Files, { goal, began }: ArchiveNote): Promise<boolean> {
  const there = await own.info(goal).catch(() => undefined)
  return there?.kind === 'file' && there.modified >= began
}

function common(a: FilePath, b: FilePath): FilePath {
  let folder = a
  while (!isWithin(b, folder)) folder = parentOf(folder)
  return folder
}

const below = (folder: FilePath) => (path: FilePath) =>
  (folder === '/' ? path : path.slice(folder.length) || '/') as FilePath
