import type { ChangeKind } from '../../../shared/api/changes.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { Recording } from '../../files/change-records.ts'
import type { Files } from '../../files/files.ts'
import { accountName } from '../account.ts'
import { noteIn } from '../audit-note.ts'
import type { Arguments, DescribedFlag } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { inWholeFolder, withTrash } from '../served-folder.ts'

/** The files of the whole served folder, for the account of the host, whose changes `recording` collects. */
export interface ConsoleHistory {
  files: Files
  recording: Recording
  db: Db
  config: Config
}

/** Runs `act` with the recorded changes of the served folder. @param kind what `act` is, if it changes files */
export function onHistory<T>(
  given: Arguments,
  kind: ChangeKind,
  act: (history: ConsoleHistory) => Promise<T>,
): Promise<T> {
  return withDb(given, (db, config) =>
    withTrash(config, db, async ({ files }) => {
      const recording = new Recording({ way: 'console', session: '', kind })
      const user = { ...inWholeFolder(0, accountName()), recording }
      return act({ files: await files.for(user), recording, db, config })
    }),
  )
}

export const DRY_RUN_FLAG: DescribedFlag = {
  flag: 'dry-run',
  boolean: true,
  doc: 'Only says what would be done.',
}

/**
 * Undoes a change step by step, the newest first, and prints what it left as it is; the audit log names the command.
 * @throws AppError if a step could not be undone
 */
export async function undoChange(history: ConsoleHistory, given: Arguments, id: string, verb: 'undo' | 'redo') {
  const { files, recording, db } = history
  if (given.flags.get('dry-run') === 'true') return preview(files, id)
  const steps = await files.undo.attempted(id, undefined, Number.POSITIVE_INFINITY)
  const paths = new Map(steps.map(({ step, path }) => [step.position, path]))
  let failed = 0
  for (const [position, path] of paths) {
    const { state, code } = await files.undo.step(id, position, {})
    if (state !== 'failed') continue
    failed += 1
    console.error(`${printable(path)}: ${code}`)
  }
  if (recording.change !== undefined) await noteIn(db, `history ${verb} ${id}`)
  console.log(`${VERBS[verb]}: ${paths.size - failed} of ${paths.size}.`)
  if (recording.change !== undefined) console.log(`Change: ${recording.change}`)
  if (failed > 0) throw new AppError('bad_request', `Left as they are: ${failed} of ${paths.size}.`)
}

const VERBS = { undo: 'Undone', redo: 'Done again' }

async function preview(files: Files, id: string): Promise<void> {
  for (const { seen, path, to, why } of await files.undo.preview(id, {}, Number.POSITIVE_INFINITY)) {
    const goal = to === undefined ? '' : ` -> ${printable(to)}`
    console.log(`${seen.step.kind}\t${printable(path)}${goal}\t${why ?? 'can be undone'}`)
  }
}
