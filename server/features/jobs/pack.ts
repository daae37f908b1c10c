import { type FilePath, isWithin, parentOf } from '../../../shared/path.ts'
import { makeArchive, streamOf } from '../../archives/write/archive.ts'
import { type Format, formatOf } from '../../archives/write/formats.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { JobPayloads } from '../../jobs/job-kinds.ts'
import type { ItemResult, Tools } from '../../jobs/run.ts'

/** An archive to create from some items, and its path. */
export interface ArchiveOptions extends Omit<JobPayloads['archive'], 'sources'> {
  to: FilePath
  sources: readonly FilePath[]
}

/** The journal of one attempt to create an archive. */
interface ArchiveNote {
  goal: FilePath
  began: number
}

/**
 * Creates the archive, all or nothing.
 * @throws exists, not_found, forbidden, bad_request for an unknown format
 */
export async function packArchive(own: Files, spec: ArchiveOptions, tools: Tools): Promise<ItemResult> {
  const { conflict } = spec
  const noted = tools.noted as ArchiveNote | undefined
  if (noted && (await wasMade(own, noted))) return { state: 'done', target: noted.goal }
  const free = (await own.identify(spec.to)) === undefined
  if (!free && conflict === 'skip') return { state: 'skipped' }
  const pack = async (goal: FilePath): Promise<ItemResult> => {
    if (free || goal !== spec.to) await tools.note({ goal, began: Date.now() } satisfies ArchiveNote)
    const kept = await writeArchive(own, { ...spec, to: goal }, tools)
    return { state: 'done', target: goal, ...(kept !== undefined && { kept }) }
  }
  return conflict === 'keepBoth' ? own.transfers.withFreeName(spec.to, pack) : pack(spec.to)
}

/** @returns what became of a file that it replaced; see `Written.kept` */
async function writeArchive(
  own: Files,
  { to, sources, conflict, format }: ArchiveOptions,
  tools: Tools,
): Promise<string | undefined> {
  const { signal, progress } = tools
  const folder = sources.map(parentOf).reduce(common)
  const options = { named: true, onRead: (bytes: number) => progress({ bytes }), signal }
  const names = sources.map(below(folder))
  const archive = await makeArchive(own, await own.info(folder), names, demandFormat(format), options)
  const stream = streamOf(archive)
  try {
    const { kept } = await own.write(to, stream, { override: conflict === 'replace', signal })
    progress({ entries: 1 })
    return kept
  } finally {
    // The writer does not close it, nor the file being read.
    stream.destroy()
    await archive.close()
  }
}

function demandFormat(algo: string): Format {
  const format = formatOf(algo)
  if (!format) throw new AppError('bad_request')
  return format
}

/** The path was free when the attempt began, so what is there now is the archive. */
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
