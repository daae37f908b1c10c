import type { NamesSetup } from './messages.ts'
import { NamesFile } from './sqlite-store.ts'
import type { NamesShelf } from './store.ts'

/** An index in a file of this machine, which is made anew when it turns out to be broken. */
export function fileShelf({ file, root, texts }: NamesSetup): NamesShelf<NamesFile> {
  return {
    open() {
      const names = NamesFile.open(file, root)
      if (texts !== 'off' || !names.texts.isWanted) return names
      names.close()
      throw new Error('it holds contents, which are off now')
    },
    isBroken,
    discard: () => NamesFile.remove(file),
    lost: 'thrown away',
    attempts: 3,
    pause: 0,
  }
}

/** SQLite's codes for a file that is damaged or none at all. */
const BROKEN = new Set([11, 26])

const isBroken = (thrown: unknown) =>
  thrown instanceof Error && 'errcode' in thrown && BROKEN.has(Number(thrown.errcode) & 0xff)
