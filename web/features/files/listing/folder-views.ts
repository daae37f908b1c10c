import { type FilePath, pathsDownTo } from '../../../../shared/path.ts'
import { VIEW_MODES, type ViewMode } from '../../../../shared/views.ts'
import { type LocalPreference, storedPreference } from '../../../lib/local-preference.ts'

/** What was chosen in this browser, by id of the user and path of the folder; the last chosen at the end. */
export type FolderChoices<T> = Readonly<Record<string, T>>

/** Folders whose choices are remembered. */
const MOST = 300

export const folderViews = storedChoices('filigree.views', VIEW_MODES)

/** Whether folders come before files. */
export const foldersFirst = storedChoices('filigree.foldersFirst', [true, false])

function storedChoices<T extends ViewMode | boolean>(
  key: string,
  values: readonly T[],
): LocalPreference<FolderChoices<T>> {
  return storedPreference(key, text => parseChoices(text, values), JSON.stringify)
}

function parseChoices<T>(text: string | null, values: readonly T[]): FolderChoices<T> {
  try {
    const stored: Record<string, unknown> = JSON.parse(text ?? '{}')
    return Object.fromEntries(
      Object.entries(stored).flatMap(([key, value]) => {
        const choice = values.find(other => other === value)
        return choice === undefined ? [] : [[key, choice]]
      }),
    )
  } catch {
    return {}
  }
}

/** What was chosen for a folder, or for the nearest one above it; `undefined` where there is none. */
export function choiceFor<T>(choices: FolderChoices<T>, user: number, folder: FilePath): T | undefined {
  return pathsDownTo(folder)
    .map(path => choices[`${user}${path}`])
    .findLast(choice => choice !== undefined)
}

/** The same with one chosen for a folder, and with it for those below that have none of their own. */
export function withChoice<T>(choices: FolderChoices<T>, user: number, folder: FilePath, value: T): FolderChoices<T> {
  const key = `${user}${folder}`
  const others = Object.entries(choices).filter(([other]) => other !== key)
  return Object.fromEntries([...others, [key, value] as const].slice(-MOST))
}
