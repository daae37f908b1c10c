import type { NamesSetup } from './messages.ts'
import { NamesFile } from './sqlite-store.ts'
import type { IndexBackend } from './store.ts'

/** An index in a local SQLite file, which is rebuilt when it turns out to be corrupt. */
export function sqliteBackend({ file, root, texts }: NamesSetup): IndexBackend<NamesFile> {
  return {
    open() {
      const names = NamesFile.open(file, root)
      if (texts !== 'off' || !names.texts.isWanted) return names
      names.close()
      throw new Error('it contains texts, whose indexing is off now')
    },
    isBroken,
    discard: () => NamesFile.remove(file),
    lost: 'thrown away',
    attempts: 3,
    pause: 0,
  }
}

/** SQLite's codes for a file that is corrupt or not a database. */
const BROKEN = new Set([11, 26])

const isBroken = (thrown: unknown) =>
  thrown instanceof Error && 'errcode' in thrown && BROKEN.has(Number(thrown.errcode) & 0xff)
