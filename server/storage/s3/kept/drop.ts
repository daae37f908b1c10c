import type { KeptAt } from '../../driver.ts'
import { listAll, listPage, type ObjectVersion, putObject, removeVersions } from '../objects.ts'
import { readWhole } from '../read.ts'
import { unlessMissing } from '../s3-errors.ts'
import type { Scope } from '../scope.ts'
import {
  copyKey,
  demandThisArea,
  eraseNote,
  type Held,
  leavingIn,
  leavingKey,
  type Note,
  nameOfKey,
  pagesOf,
  readNote,
} from './area.ts'
import { readHeld } from './held.ts'
import { dropVersion } from './replaced.ts'
import { erase, eraseUnder, type VersionListed, versionsOf, versionsUnder } from './versioning.ts'

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
  if (!note || note.pages !== undefined) await eraseUnder(scope, pagesOf(scope, name))
  if (!note?.held) {
    await erase(scope, copyKey(scope, name, 'file'))
    if (note?.was.kind !== 'file') await eraseUnder(scope, copyKey(scope, name, 'folder'))
  }
  await erase(scope, leavingKey(scope, name))
}

/**
 * Removes versions for good, unless they are current, with what hides them where that would bring nothing else to light.
 * @param key that the rest of each key follows
 */
export async function purgeHeld({ client }: Scope, key: string, held: readonly Held[]): Promise<void> {
  const versions = new Map(held.map(({ rest, version }) => [key + rest, version]))
  const some: ObjectVersion[] = []
  for await (const all of eachOf(client, key, held)) {
    some.push(...purgedOf(all, versions.get(all[0]?.key ?? '')))
    if (some.length >= TOGETHER) await removeVersions(client, some.splice(0))
  }
  await removeVersions(client, some)
}

/** Versions removed in one request. */
const TOGETHER = 1000

async function* eachOf(client: Scope['client'], key: string, held: readonly Held[]) {
  if (key.endsWith('/')) yield* versionsUnder(client, key)
  else if (held.length > 0) yield versionsOf(client, key)
}

/** What goes of the versions of an object when one of them is removed for good. @param all the newest first */
export function purgedOf(all: readonly VersionListed[], version: string | undefined): VersionListed[] {
  const at = all.findIndex(one => one.version === version && !one.isMarker)
  const [own, above] = [all[at], all.slice(0, at)]
  // It is current, or not there.
  if (!own || at < 1) return []
  const isAlone = all.length === at + 1 && above.every(({ isMarker }) => isMarker)
  return isAlone ? [own, ...above] : [own]
}
