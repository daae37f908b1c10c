import type { KeptAt } from '../../driver.ts'
import { listAll, listPage, putObject } from '../objects.ts'
import { readWhole } from '../read.ts'
import { unlessMissing } from '../s3-errors.ts'
import type { Scope } from '../scope.ts'
import { copyKey, demandThisArea, eraseNote, leavingIn, leavingKey, nameOfKey, pagesOf, readNote } from './area.ts'
import { readHeld } from './held.ts'
import type { Note } from './note.ts'
import { purgeHeld } from './purge.ts'
import { dropVersion } from './replaced.ts'
import { erase, eraseUnder } from './versioning.ts'

/** Takes a kept thing out of reach; see `KeptThings.drop`. */
export async function drop(scope: Scope, at: KeptAt): Promise<void> {
  await demandThisArea(scope, at)
  if (at.kind === 'version') return dropVersion(scope, at.name)
  const note = await readNote(scope, at.name)
  if (note) return endThing(scope, at.name, note)
  // Copies of which a killed process had not written the note.
  const { objects } = await listPage(scope.client, copyKey(scope, at.name, 'file'), { most: 1 })
  if (objects.length > 0) await freeThing(scope, at.name, undefined)
}

/** Ends a thing: it is out of reach once its note is gone; another marks what is left to remove. */
export async function endThing(scope: Scope, name: string, note: Note): Promise<void> {
  await putObject(scope.client, leavingKey(scope, name), Buffer.from(JSON.stringify(note)), {})
  await eraseNote(scope, name)
  if (note.was.kind === 'file' || note.to !== undefined) await freeThing(scope, name, note)
}

/** Removes what was dropped; see `KeptThings.clear`. */
export async function clear(scope: Scope, area: Pick<KeptAt, 'area'>): Promise<void> {
  await demandThisArea(scope, area)
  for await (const { objects } of listAll(scope.client, leavingIn(scope))) {
    for (const { key } of objects) {
      const [name, text] = [nameOfKey(key), await unlessMissing(readWhole(scope, key))]
      if (name === undefined || !text) continue
      // What cannot be removed does not hold up the rest.
      await freeThing(scope, name, JSON.parse(text.toString()) as Note).catch(() => {})
    }
  }
}

async function freeThing(scope: Scope, name: string, note: Note | undefined): Promise<void> {
  if (note?.held) await purgeHeld(scope, note.key, await readHeld(scope, name, note))
  if (!note || note.held) await eraseUnder(scope, pagesOf(scope, name))
  if (!note?.held) {
    await erase(scope, copyKey(scope, name, 'file'))
    if (note?.was.kind !== 'file') await eraseUnder(scope, copyKey(scope, name, 'folder'))
  }
  await erase(scope, leavingKey(scope, name))
}
