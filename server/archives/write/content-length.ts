import { createHash } from 'node:crypto'
import type { Files } from '../../files/files.ts'
import { type Member, membersOf, readAhead, reopened } from './entries.ts'
import { HeldFiles } from './open-files.ts'
import type { Selection } from './selection.ts'
import { ZipLength } from './zip.ts'

/** Larger archives are sent without a length: the client should not wait for the first byte. */
const MAX_MEMBERS = 20_000
const MAX_MILLISECONDS = 1000
/** Must be incremented whenever the bytes change that `zip` writes for the same members. */
const FORM = 1

/** The members of a zip that will be exactly `length` bytes long, unless a file vanishes or shrinks. */
export interface Plan {
  length: number
  /** Changes whenever the archive's bytes would. */
  version: string
  members(): AsyncIterable<Member[]>
  /** Releases open files. Idempotent. */
  close(): Promise<void>
}

/** Walks a selection in advance to determine length and version. @returns `undefined` when it is too large */
export async function planZip(files: Files, selection: Selection, signal?: AbortSignal): Promise<Plan | undefined> {
  const held = new HeldFiles()
  try {
    const plan = await planWith(held, files, selection, signal)
    if (!plan) await held.close()
    return plan
  } catch (thrown) {
    await held.close()
    throw thrown
  }
}

async function planWith(
  held: HeldFiles,
  files: Files,
  selection: Selection,
  signal: AbortSignal | undefined,
): Promise<Plan | undefined> {
  const deadline = performance.now() + MAX_MILLISECONDS
  const members: Member[] = []
  const length = new ZipLength()
  const hash = createHash('sha256').update(`zip ${FORM}`)
  for await (const group of membersOf(files, selection, { signal, unread: true, held })) {
    for (const member of group) {
      const { name, size, modified, mode, version } = member
      members.push(reopened(files, member))
      length.add(member)
      hash.update(JSON.stringify([name, size, modified, mode, version]))
    }
    if (members.length > MAX_MEMBERS || performance.now() > deadline) return undefined
  }
  const version = `zip-${hash.digest('base64url')}`
  return { length: length.total, version, members: () => readAhead(files, members), close: () => held.close() }
}
