import { type JobRequest, LEAST_DUPLICATE, MAX_JOB_DELAY } from '../../../shared/api/jobs.ts'
import { type FilePath, parentOf, parsePath } from '../../../shared/path.ts'
import { formatOf } from '../../archives/write/formats.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { JobKind, JobPayloads } from '../../jobs/job-kinds.ts'
import type { NewItem } from '../../jobs/jobs.ts'
import { refusalOf } from './job-handlers.ts'
import { orderRenames } from './rename-order.ts'

/** A parsed request. */
export interface JobSpec {
  kind: JobKind
  payload: JobPayloads[JobKind]
  items: NewItem[]
  runAt?: number
}

/**
 * Parses a request. An item that the caller may not do does not fail the request: it gets its result at once.
 * @param now milliseconds since the epoch
 * @param use how deletions use the trash
 * @throws PathError, AppError `bad_request`
 */
export function readRequest(own: Files, request: JobRequest, now: number, use: TrashUse = {}): JobSpec {
  const { runAt } = request
  const spec = readSpec(own, request, use)
  return runAt === undefined ? spec : { ...spec, runAt: readTime(runAt, now) }
}

type TrashUse = Pick<JobPayloads['delete'], 'trash'>

function readSpec(own: Files, request: JobRequest, use: TrashUse): JobSpec {
  const { kind } = request
  if (kind === 'archive') return readArchive(own, request)
  if (kind === 'verify' || kind === 'duplicates') return readChecks(own, kind, request)
  if (kind === 'resolve') return readResolve(own, request)
  return kind === 'rename' ? readRenames(own, request) : { kind, ...readItems(own, request, use) }
}

/** Orders the items so that names become free in time; see `orderRenames`. */
function readRenames(own: Files, { items }: JobRequest): JobSpec {
  const renames = items.map(({ from, to = '' }, index) => {
    const [source, target] = [parsePath(from), parsePath(to)]
    if (parentOf(source) !== parentOf(target))
      throw new AppError('bad_request', `items[${index}].to: is another folder`)
    return { source, target }
  })
  const { items: ordered, cycles } = orderRenames(renames)
  return { kind: 'rename', payload: { cycles }, items: ordered.map(item => checked(own, 'rename', item)) }
}

function readItems(
  own: Files,
  { kind, items, conflict, choices = {}, seen = {}, permanent, copy, verify }: JobRequest,
  use: TrashUse,
) {
  const decided = { ...(conflict ? { conflict } : {}), choices: byPath(choices), seen: byPath(seen) }
  const payload = { ...decided, ...(verify && { verify }) }
  const goes = kind !== 'delete'
  return {
    payload: goes ? payload : { ...(permanent && { permanent }), ...(copy && { copy }), ...use },
    items: items.map((item, index): NewItem => {
      if (goes && item.to === undefined) throw new AppError('bad_request', `items[${index}].to: must be a string`)
      const target = goes ? parsePath(item.to ?? '') : undefined
      return checked(own, kind, { ...item, source: parsePath(item.from), ...(target ? { target } : {}) })
    }),
  }
}

/** Files and folders to be read. */
function readChecks(own: Files, kind: 'verify' | 'duplicates', { items, least }: JobRequest): JobSpec {
  if (kind === 'duplicates' && items.length > 1) throw new AppError('bad_request', 'items: must be one folder')
  const payload = kind === 'verify' ? {} : { least: least ?? LEAST_DUPLICATE }
  return { kind, payload, items: items.map(({ from }) => checked(own, kind, { source: parsePath(from) })) }
}

function readResolve(own: Files, { items, act }: JobRequest): JobSpec {
  if (!act) throw new AppError('bad_request', 'act: is missing')
  const pairs = items.map(({ from, to }, index) => {
    if (to === undefined) throw new AppError('bad_request', `items[${index}].to: must be a string`)
    return checked(own, 'resolve', { source: parsePath(from), target: parsePath(to) })
  })
  return { kind: 'resolve', payload: { act }, items: pairs }
}

/** The same map with parsed paths as keys. @throws PathError */
function byPath<T>(entries: Readonly<Record<string, T>>): Record<FilePath, T> {
  return Object.fromEntries(Object.entries(entries).map(([path, value]) => [parsePath(path), value]))
}

function readArchive(own: Files, { items, archive, conflict }: JobRequest): JobSpec {
  if (!archive) throw new AppError('bad_request', 'archive: is missing')
  if (!formatOf(archive.format)) throw new AppError('bad_request', 'archive.format: is not known')
  const sources = items.map(({ from }) => parsePath(from))
  const [source = parsePath('/')] = sources
  const item = checked(own, 'archive', { source, target: parsePath(archive.to) })
  const payload = { sources, format: archive.format, ...(conflict ? { conflict } : {}) }
  return { kind: 'archive', payload, items: [item] }
}

function checked(own: Files, kind: JobKind, { source, target, conflict }: NewItem): NewItem {
  const refused = refusalOf(own, kind, source as FilePath, target as FilePath | undefined)
  return {
    source,
    ...(target === undefined ? {} : { target }),
    ...(conflict === undefined ? {} : { conflict }),
    ...(refused === undefined ? {} : { refused }),
  }
}

function readTime(text: string, now: number): number {
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  if (!(time <= now + MAX_JOB_DELAY)) throw new AppError('bad_request', 'runAt: must be a time within a year')
  return Math.max(time, now)
}
