import { type FilePath, ROOT } from '../../shared/path.ts'
import type { Enclosure } from '../sandbox/sandbox-spec.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Actor } from './policy.ts'
import { encloseScope } from './sandbox-scope.ts'

/** What programs of the host can be hooked to (http-api 17). */
export type DeedName = 'save' | 'upload' | 'copy' | 'rename' | 'delete'

/** What a hooked program is told. Paths are absolute and of this machine. */
export interface DeedFacts {
  file: string
  /** Where it goes; the user's root when it stays. */
  destination: string
  /** As it is stored with the user. */
  scope: string
  username: string
  /** What the program sees, in a sandbox. */
  enclose(): Promise<Enclosure>
}

/** Whoever runs the host's programs around what people do with files. */
export interface Hooks {
  /**
   * Runs `act` between the programs that are hooked before and after a deed.
   * @param facts asked for only when there is somebody to be told
   * @param check refuses what could not be done anyway; asked only when something is hooked before
   * @throws AppError `hook_refused`: nothing was done; `hook_failed`: everything was
   */
  around<T>(name: DeedName, facts: () => DeedFacts, act: () => Promise<T>, check?: () => Promise<void>): Promise<T>
}

/** One person's deed. */
export interface Deed {
  name: DeedName
  path: FilePath
  to?: FilePath
}

/** Does a deed of one person with what is hooked to it; see `Hooks.around`. */
export type Around = <T>(deed: Deed, act: () => Promise<T>, check?: () => Promise<void>) => Promise<T>

/** For those who change nothing, and where the host allows no programs. */
export const unhooked: Around = (_deed, act) => act()

/** The hooks around what one person does in their scope. */
export function aroundDeedsOf(hooks: Hooks | undefined, actor: Actor, store: StorageDriver): Around {
  const { scope, username } = actor
  if (!hooks || username === undefined) return unhooked
  const place = (path: FilePath) => store.localPath?.(path) ?? path
  // The lines are the host's, and may do in the scope what they like.
  const enclose = () => encloseScope(store, { writable: true, hidden: [] })
  return ({ name, path, to = ROOT }, act, check) =>
    hooks.around(name, () => ({ file: place(path), destination: place(to), scope, username, enclose }), act, check)
}
