import type { TextMatch } from '../../../../shared/api/search.ts'
import { type FilePath, joinPath, nameOf, parentOf } from '../../../../shared/path.ts'
import type { WantedTexts } from '../../driver.ts'
import { foldText } from '../../names/name-pages.ts'
import type { FolderSetup } from './setup.ts'
import { matchIn, readText } from './text-file.ts'

/** The match in each file, in order; `undefined` for a file that does not contain all texts. */
export function* matchFiles(
  { root, level }: Pick<FolderSetup, 'root' | 'level'>,
  files: readonly FilePath[],
  { texts, caseSensitive }: WantedTexts,
): Generator<undefined, (TextMatch | undefined)[]> {
  const wanted = { texts: caseSensitive ? texts : texts.map(foldText), caseSensitive }
  const matches: (TextMatch | undefined)[] = []
  for (const path of files) {
    const file = readText(joinPath(root as FilePath, parentOf(path)), nameOf(path), level)
    const text = file === 'unchanged' ? undefined : file?.text
    matches.push(text === undefined ? undefined : matchIn(text, wanted))
    yield
  }
  return matches
}
