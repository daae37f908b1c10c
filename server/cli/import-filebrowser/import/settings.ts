import { shownValue } from '../../config/cat.ts'
import { NEW_PARTS } from '../../config/document.ts'
import { type Parts, readParts, storeParts, withLeaves } from '../../config/parts.ts'
import { type Fingerprints, fingerprintsOf } from '../../fingerprint.ts'
import { leavesOf } from '../../flatten.ts'
import { merge } from '../merge.ts'
import { reporterFor } from '../normalize.ts'
import type { Tally } from '../report.ts'
import { emptyTally, type ImportContext } from './import-context.ts'

export interface ImportedSettings {
  /** The merged settings. */
  parts: Parts
  tally: Tally
  came: Fingerprints
}

/** Imports the settings field by field: those that still have the defaults, or the values of the last import. */
export async function importSettings(context: ImportContext, parts: Parts | undefined): Promise<ImportedSettings> {
  const { db, last, overwrite, notes } = context
  const standing = await readParts(db)
  if (!parts) return { parts: standing, tally: emptyTally(), came: last?.settings ?? {} }
  const [here, there] = [leavesOf(standing), leavesOf(parts)]
  const before = { ...fingerprintsOf(leavesOf(NEW_PARTS)), ...last?.settings }
  const { result, taken, kept } = merge(here, there, before, overwrite)
  for (const name of kept) {
    reporterFor(notes, name)('kept', `${shownValue(name, here[name])}, not ${shownValue(name, there[name])}`)
  }
  const merged = withLeaves(standing, result)
  if (taken.length > 0) await storeParts(db, merged)
  const same = Object.keys(there).length - taken.length - kept.length
  const tally = { added: 0, changed: taken.length, same, kept: kept.length }
  return { parts: merged, tally, came: fingerprintsOf(there) }
}
