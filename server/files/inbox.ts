import { randomBytes } from 'node:crypto'
import { childOf, type FilePath, parentOf } from '../../shared/path.ts'
import { asAppError } from '../errors.ts'
import type { Base } from './base.ts'
import type { Changes, FilesContext } from './changes.ts'
import { freeName, type NameReservations } from './free-name.ts'
import type { Around } from './hooks.ts'
import { creatingPolicy, type Policy } from './policy.ts'
import { type BesideNames, Writer, type WriterContext } from './writing.ts'

/** Attempts to publish under a free name that another process takes at the same moment. */
const ATTEMPTS = 100

/** A policy that allows creating entries directly in a folder, and nothing else. */
const inboxPolicy = (policy: Policy, folder: FilePath): Policy =>
  creatingPolicy(policy, path => path !== folder && parentOf(path) === folder && policy.sees(path))

/** @param base the scope's place in the served root */
function besideNames(context: FilesContext, names: NameReservations, base: Base): BesideNames {
  return {
    unusedIn: folder => childOf(folder, randomBytes(16).toString('hex')),
    free: (wanted, act) =>
      names.during(base, async reserve => {
        for (let attempt = 1; ; attempt += 1) {
          const path = await freeName({ ...context, reserve }, wanted)
          try {
            return await act(path)
          } catch (thrown) {
            if (asAppError(thrown).code !== 'exists' || attempt >= ATTEMPTS) throw thrown
          }
        }
      }),
  }
}

/** A folder that takes files of visitors. */
interface Inbox {
  folder: FilePath
  /** The scope's place in the served root. */
  base: Base
  names: NameReservations
}

/**
 * Writes files into a folder and nowhere else, each under its name or the first free one like it; nothing that is there
 * shows in what it does.
 */
export function inboxWriter(context: WriterContext, { folder, base, names }: Inbox, changes: Changes, around: Around) {
  const narrow = { ...context, policy: inboxPolicy(context.policy, folder) }
  return new Writer({ ...narrow, besides: besideNames(narrow, names, base) }, changes, around)
}
