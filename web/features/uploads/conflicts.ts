import { useEffect, useRef } from 'react'
import { type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import { compareNames } from '../../../shared/sorting.ts'
import { openPrompt, usePrompt } from '../../lib/prompts.ts'
import { commonFolder, pathsFrom } from '../files/items/common-folder.ts'
import type { Conflict } from '../files/operations/conflicts/conflict.ts'
import type { UploadJob } from './job.ts'
import { existingOf } from './preflight.ts'
import type { Uploader } from './uploader.ts'

/** Milliseconds to wait for further conflicts, so that one prompt covers them. */
const GATHER = 500
/** Maximum number of folders fetched for the existing versions, where not cached. */
const MAX_LOOKUPS = 5

/** Prompts for conflicts as they come up, one prompt at a time; the other uploads continue. */
export function useConflictQuestions(uploader: Uploader, jobs: readonly UploadJob[]): void {
  const prompt = usePrompt()
  const asked = useRef(new Set<string>())
  for (const { id, state } of jobs) if (state !== 'conflict') asked.current.delete(id)
  const waiting = jobs.filter(job => job.state === 'conflict' && !asked.current.has(job.id))
  const latest = useRef(waiting)
  latest.current = waiting
  const due = waiting.length > 0 && prompt === null
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(() => {
      const now = latest.current.toSorted((a, b) => compareNames(a.path, b.path))
      for (const job of now) asked.current.add(job.id)
      void promptConflicts(uploader, now)
    }, GATHER)
    return () => clearTimeout(timer)
  }, [due, uploader])
}

/** Opens the prompt for these jobs, after loading the existing versions. */
export async function promptConflicts(uploader: Uploader, jobs: readonly UploadJob[]): Promise<void> {
  const { queue, mayReplace } = uploader
  const unknown = jobs.filter(job => !job.existing).map(job => parentOf(job.path))
  const folders = [...new Set(unknown)].slice(0, MAX_LOOKUPS)
  await Promise.allSettled(folders.map(folder => uploader.list(folder)))
  for (const job of jobs) if (!job.existing) queue.noteExisting(job.id, lookUp(uploader, job.path))
  const names = pathsFrom(commonFolder(jobs), jobs)
  const conflicts = jobs.map((job, index) => conflictOf(uploader, job, names[index] ?? job.path))
  openPrompt('replace', {
    uploads: true,
    conflicts,
    ...(mayReplace && { mayReplace: mayReplace() }),
    onDecide: decided => {
      for (const conflict of conflicts) queue.decide(conflict.id, decided.of(conflict))
    },
  })
}

/**
 * @param name with as much of the path as distinguishes the files: equal names may occur in many folders
 */
function conflictOf(uploader: Uploader, { id, path, file, existing }: UploadJob, name: string): Conflict {
  const ours = { isDir: false, size: file?.size ?? 0, modified: file?.lastModified ?? 0, ...(file && { source: file }) }
  const theirs = existing ?? lookUp(uploader, path)
  // A visitor's paths are those of the link: their thumbnails are not found by them.
  const isOwn = uploader.mayReplace === undefined
  return { id, name, ours, theirs: theirs && { ...theirs, ...(isOwn && { source: path }) } }
}

function lookUp(uploader: Uploader, path: FilePath) {
  const entry = uploader.entry(parentOf(path), nameOf(path))
  return entry && existingOf(entry)
}
