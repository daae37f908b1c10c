import { useMemo } from 'react'
import type { RenameFacts } from '../../../shared/api/rename.ts'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { mayHaveExif } from '../../../shared/exif.ts'
import { nameOf, parentOf, parsePath } from '../../../shared/path.ts'
import { type PlannedName, plan } from '../../../shared/rename.ts'
import { type ExpressionEngine, needsPhotoFacts, prepareStep, type RenameStep } from '../../../shared/rename-steps.ts'
import { apiText } from '../../lib/api.ts'
import { useQuery } from '../../lib/query.ts'
import { useEngine } from '../../ui/rules/use-engine.ts'
import { knownFolder } from '../files/api/list.ts'

export interface Plan {
  /** One for each item. */
  names: readonly PlannedName[]
  /** The steps whose expression or replacement is not valid. */
  invalid: readonly RenameStep[]
  /** Whether facts of photos are still being read. */
  isReading: boolean
}

/** The new names of items, at once for each change of the steps. */
export function usePlan(items: readonly ResourceItem[], steps: readonly RenameStep[]): Plan {
  const hasExpression = steps.some(({ kind, ...step }) => kind === 'expression' && 'find' in step && step.find !== '')
  const engine = useEngine(hasExpression)
  const photos = usePhotoFacts(items, needsPhotoFacts(steps))
  const isTaken = useMemo(() => takenNames(items), [items])
  return useMemo(() => {
    const invalid = steps.filter(step => !isValid(step, engine))
    const valid = steps.filter(step => !invalid.includes(step))
    const facts = {
      items: items.map(item => factsOf(item, photos?.get(item.path))),
      now: new Date(),
      engine,
      folderOf: (index: number) => folderOf(items[index]),
      isTaken,
    }
    const names = plan(
      items.map(({ name }) => name),
      valid,
      facts,
    )
    return { names, invalid, isReading: photos === undefined }
  }, [items, steps, engine, photos, isTaken])
}

const NO_PHOTOS: ReadonlyMap<string, RenameFacts> = new Map()

/** Facts of photos by path; `undefined` while they are read. */
function usePhotoFacts(items: readonly ResourceItem[], needed: boolean): ReadonlyMap<string, RenameFacts> | undefined {
  const paths = items.filter(({ name, isDir }) => !isDir && mayHaveExif(name)).map(({ path }) => path)
  const { data, isError } = useQuery({
    queryKey: ['rename-facts', paths],
    queryFn: ({ signal }) => fetchFacts(paths, signal),
    enabled: needed && paths.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  return data ?? (needed && paths.length > 0 && !isError ? undefined : NO_PHOTOS)
}

async function fetchFacts(paths: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, RenameFacts>> {
  const headers = { 'Content-Type': 'application/json' }
  const text = await apiText('/api/rename/facts', { method: 'POST', headers, body: JSON.stringify({ paths }), signal })
  const lines = text.split('\n').filter(line => line !== '')
  return new Map(lines.map(line => JSON.parse(line) as RenameFacts).map(facts => [facts.path, facts]))
}

const factsOf = ({ path, isDir, modified, size }: ResourceItem, photo: RenameFacts | undefined) => ({
  isDir,
  modified: Date.parse(modified),
  size,
  folder: nameOf(parentOf(parsePath(path))),
  taken: photo?.taken,
  camera: photo?.camera,
})

const folderOf = (item: ResourceItem | undefined) => (item ? parentOf(parsePath(item.path)) : '')

/** Whether something else in the folder of an item has a name, as far as the folder is loaded. */
function takenNames(items: readonly ResourceItem[]): (index: number, name: string) => boolean {
  const chosen = new Set(items.map(({ path }) => path))
  const others = new Map<string, ReadonlySet<string>>()
  for (const item of items) {
    const folder = folderOf(item)
    if (others.has(folder)) continue
    const listed = knownFolder(parentOf(parsePath(item.path)))?.items ?? []
    others.set(folder, new Set(listed.filter(({ path }) => !chosen.has(path)).map(({ name }) => name)))
  }
  return (index, name) => others.get(folderOf(items[index]))?.has(name) ?? false
}

/** A replacement is checked with its expression on an empty text and on one that matches most. */
function isValid(step: RenameStep, engine: ExpressionEngine | undefined): boolean {
  if (step.kind !== 'expression' || step.find === '' || !engine) return true
  try {
    prepareStep(step, engine)
    prepareStep({ ...step, find: `(?:${step.find})?` }, engine)({ stem: '', extension: '' }, NOTHING)
    return true
  } catch {
    return false
  }
}

const NOTHING = { facts: { isDir: false, modified: 0, size: 0, folder: '' }, index: 0, now: new Date(0) }
