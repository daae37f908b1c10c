import type { SweepOptions } from '../driver.ts'
import { notesIn, type RunningUpload } from './multipart-notes.ts'
import { abortParts, listAll, removeObject } from './objects.ts'
import type { ListedObject } from './page.ts'
import { readWhole } from './read.ts'
import { unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'
import { discardFile, waitingIn } from './staged-file.ts'

/** Removes leftovers; see the driver contract. @param place the kind of leftovers */
export async function sweepPlace(scope: Scope, place: string, how: SweepOptions): Promise<number> {
  if (place !== scope.area) return 0
  return (await sweepWaiting(scope, how)) + (await sweepRunning(scope, how))
}

/** Staged files, each identified by its folder. */
async function sweepWaiting(scope: Scope, { before, isAwaited }: SweepOptions): Promise<number> {
  let staying = 0
  for await (const { folders } of listAll(scope.client, waitingIn(scope), true)) {
    for (const folder of folders) {
      const staged = folder.slice(waitingIn(scope).length, -1)
      if (isAwaited(staged) || (await newestIn(scope, folder)) >= before) staying += 1
      else await discardFile(scope, staged)
    }
  }
  return staying
}

async function newestIn(scope: Scope, prefix: string): Promise<number> {
  let newest = 0
  for await (const { objects } of listAll(scope.client, prefix)) {
    newest = Math.max(newest, ...objects.map(timeOf))
  }
  return newest
}

/** Objects being written under their final keys: their writers renew the notes. */
async function sweepRunning(scope: Scope, { before }: SweepOptions): Promise<number> {
  let staying = 0
  for await (const { objects } of listAll(scope.client, notesIn(scope))) {
    for (const note of objects) {
      if (scope.unfinished.has(note.key) || timeOf(note) >= before) staying += 1
      else await endRunning(scope, note.key)
    }
  }
  return staying
}

async function endRunning(scope: Scope, note: string): Promise<void> {
  const { key, id } = JSON.parse((await readWhole(scope, note)).toString()) as RunningUpload
  await unlessMissing(abortParts(scope.client, key, id))
  await removeObject(scope.client, note)
}

const timeOf = ({ changed }: ListedObject) => Date.parse(changed)
