import { closeSync, constants, openSync, realpathSync } from 'node:fs'
import { isOfSystem } from './bubblewrap.ts'
import type { SandboxSpec } from './sandbox-spec.ts'
import { findProgram } from './which.ts'

/** A folder that every sandbox contains in any case. */
const FOLDER = '/usr/share'

/**
 * A sandbox without served files, for a program that gets its input by standard input.
 * @param temporary bytes in each of its folders for temporary files
 */
export function specOfSystem(temporary: number): SandboxSpec {
  const descriptor = openSync(FOLDER, constants.O_RDONLY | constants.O_DIRECTORY)
  return { root: FOLDER, descriptor, writable: false, hidden: [], temporary, close: () => closeSync(descriptor) }
}

/** A program that exists in every sandbox: one in the system's own folders. @param path as for `findProgram` */
export function findSystemProgram(name: string, path: string): string | undefined {
  const program = findProgram(name, path)
  return program !== undefined && isOfSystem(realpathSync(program)) ? program : undefined
}
