import { type ObjectVersion, REMOVED_AT_ONCE, removeVersions } from '../objects.ts'
import type { Scope } from '../scope.ts'
import type { Held } from './note.ts'
import { type VersionListed, versionsOf, versionsUnder } from './versioning.ts'

/**
 * Removes versions for good, unless they are current, with what hides them where that would bring nothing else to light.
 * @param key that the rest of each key follows
 */
export async function purgeHeld({ client }: Scope, key: string, held: readonly Held[]): Promise<void> {
  const versions = new Map(held.map(({ rest, version }) => [key + rest, version]))
  const some: ObjectVersion[] = []
  for await (const all of eachOf(client, key, held)) {
    some.push(...purgedOf(all, versions.get(all[0]?.key ?? '')))
    if (some.length >= REMOVED_AT_ONCE) await removeVersions(client, some.splice(0))
  }
  await removeVersions(client, some)
}

/** The versions of each object of a thing. @param key that the rest of each key follows; of a folder with a slash at its end */
export async function* eachOf(
  client: Scope['client'],
  key: string,
  held: readonly Held[],
): AsyncGenerator<VersionListed[]> {
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
