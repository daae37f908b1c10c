import { type FilePath, isWithin, joinPath, nameOf, parentOf, ROOT } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import type { Problem } from './error-entry.ts'

/** The selected content of an archive. */
export interface Selection {
  /** The folder that entry names are relative to. */
  base: FilePath
  /** Files, and folders with all their content; none is inside another. */
  roots: Entry[]
  /** Requested entries that do not exist or are not accessible. */
  problems: Problem[]
  /** File name of the archive without its extension. */
  title: string
}

/** Stands for the root, whose real name is not disclosed. */
const ROOT_TITLE = 'files'

/**
 * The selection of a request (http-api 5): the named entries below `folder`, or the folder itself without names. A
 * single folder's content is at the top of the archive; several entries keep their names below their common folder.
 * @param names paths relative to `folder`
 * @param named whether a single folder keeps its name, too
 * @throws AppError of the first entry when none of them is available
 */
export async function select(
  files: Files,
  folder: Entry,
  names: readonly FilePath[],
  named: boolean,
): Promise<Selection> {
  if (names.length === 0)
    return { base: folder.path, roots: [folder], problems: [], title: titleOf(files, folder.path) }
  const paths = [...new Set(names.map(name => joinPath(folder.path, name)))]
  const { found, problems } = await look(files, paths)
  const roots = found.filter(entry => !found.some(other => other !== entry && isWithin(entry.path, other.path)))
  const [first] = roots
  if (!first) throw new AppError(problems[0]?.why === 'forbidden' ? 'forbidden' : 'not_found')
  if (paths.length === 1) {
    const base = named ? parentOf(first.path) : ownBase(first)
    return { base, roots, problems, title: titleOf(files, first.path) }
  }
  const base = commonFolder(roots)
  return { base, roots, problems, title: `_${titleOf(files, base)}` }
}

async function look(files: Files, paths: readonly FilePath[]): Promise<{ found: Entry[]; problems: Problem[] }> {
  const found: Entry[] = []
  const problems: Problem[] = []
  for (const path of paths) {
    try {
      found.push(await files.info(path))
    } catch (thrown) {
      const { code } = asAppError(thrown)
      if (code === 'internal') throw thrown
      problems.push({ path, why: code })
    }
  }
  return { found, problems }
}

const ownBase = (entry: Entry): FilePath => (entry.kind === 'folder' ? entry.path : parentOf(entry.path))

/** The deepest folder that contains all of them. */
function commonFolder(entries: readonly Entry[]): FilePath {
  let folder = entries.length === 1 && entries[0] ? ownBase(entries[0]) : parentOf(entries[0]?.path ?? ROOT)
  while (!entries.every(entry => isWithin(entry.path, folder))) folder = parentOf(folder)
  return folder
}

const titleOf = (files: Files, path: FilePath): string => nameOf(path) || files.rootName || ROOT_TITLE
