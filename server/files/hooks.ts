import { type FilePath, ROOT } from '../../shared/path.ts'
import type { SandboxSpec } from '../sandbox/sandbox-spec.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Actor } from './policy.ts'
import { sandboxSpecFor } from './sandbox-scope.ts'

/** The operations that programs of the host can hook (http-api 17). */
export type OperationName = 'save' | 'upload' | 'copy' | 'rename' | 'delete'

/** The input of a hooked program. Paths are absolute and of this machine. */
export interface OperationFacts {
  file: string
  /** The destination; the user's root where there is none. */
  destination: string
  /** As stored with the user. */
  scope: string
  username: string
  /** What the program sees in a sandbox. */
  sandboxSpec(): Promise<SandboxSpec>
}

/** Runs the host's programs around file operations. */
export interface Hooks {
  /**
   * Runs `act` between the programs that are hooked before and after an operation.
   * @param facts called only when a program is hooked
   * @param check refuses an operation that would fail anyway; called only when a program is hooked before
   * @throws AppError `hook_refused`: nothing was done; `hook_failed`: everything was
   */
  around<T>(
    name: OperationName,
    facts: () => OperationFacts,
    act: () => Promise<T>,
    check?: () => Promise<void>,
  ): Promise<T>
}

/** An operation of one user. */
export interface Operation {
  name: OperationName
  path: FilePath
  to?: FilePath
}

/** Runs an operation of one user with its hooks; see `Hooks.around`. */
export type Around = <T>(operation: Operation, act: () => Promise<T>, check?: () => Promise<void>) => Promise<T>

/** For views that change nothing, and where the host disables programs. */
export const withoutHooks: Around = (_operation, act) => act()

/** The hooks around the operations of one user in their scope. */
export function aroundOperationsOf(
  hooks: Hooks | undefined,
  actor: Actor,
  store: StorageDriver,
  placeTop: (path: FilePath) => FilePath | undefined = () => undefined,
): Around {
  const { scope, username } = actor
  if (!hooks || username === undefined) return withoutHooks
  const place = (path: FilePath) => store.disk?.pathOf(path) ?? path
  // The host's own command lines may do anything within the scope, or the folder of another root in which the file is.
  const sandboxSpec = async (path: FilePath) => {
    const top = placeTop(path)
    return sandboxSpecFor(top === undefined ? store : await store.within(top), { writable: true, hidden: [] })
  }
  return ({ name, path, to = ROOT }, act, check) => {
    // Names that are not UTF-8 have no place for a program.
    const facts = () => ({
      ...{ file: place(path), destination: place(to), scope, username },
      sandboxSpec: () => sandboxSpec(path),
    })
    return hooks.around(name, facts, act, check)
  }
}
