import { bytesOf, textOf } from '../../../shared/bytes.ts'
import { checkName, type FilePath, PathError, ROOT, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'

/** Maximum length of a key in bytes. */
const MAX_KEY_BYTES = 1024
/** Prefix of internal names; a user's file of such a name gets another key. */
const OWN = '.~f'
/** Prefix of an encoded name whose bytes are not UTF-8, as keys must be. */
const CARRIED = `${OWN}b-`
/** The folder of all internal objects. */
export const AREA = `${OWN}g/`

function keyName(name: string): string {
  if (name.isWellFormed() && !name.startsWith(OWN)) return name
  return CARRIED + Buffer.from(bytesOf(name)).toString('base64url')
}

/**
 * The name that a part of a key stands for; `undefined` for internal names and those that no path can contain (`''`,
 * `..`).
 */
export function nameIn(part: string): string | undefined {
  const name = part.startsWith(CARRIED) ? textOf(Buffer.from(part.slice(CARRIED.length), 'base64url')) : part
  try {
    return keyName(checkName(name)) === part ? name : undefined
  } catch (thrown) {
    if (thrown instanceof PathError) return undefined
    throw thrown
  }
}

/**
 * The key of a file.
 * @param base prefix of the store's keys: `''`, or with a trailing slash
 * @throws name_too_long
 */
export function fileKey(base: string, path: FilePath): string {
  return demandShort(base + segmentsOf(path).map(keyName).join('/'))
}

/** Key prefix of a folder's content, which is also the key of the folder's marker. @throws name_too_long */
export function folderKey(base: string, folder: FilePath): string {
  return folder === ROOT ? base : demandShort(`${fileKey(base, folder)}/`)
}

/**
 * The paths of an object and of its ancestors, outermost first, from its key relative to a folder; `undefined` if no
 * path can name it.
 */
export function pathsIn(folder: FilePath, rest: string): FilePath[] | undefined {
  const paths: FilePath[] = []
  let path = folder
  for (const part of rest.replace(/\/$/, '').split('/')) {
    const name = nameIn(part)
    if (name === undefined) return undefined
    path = trustedChild(path, name)
    paths.push(path)
  }
  return paths
}

function demandShort(key: string): string {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) throw new AppError('name_too_long')
  return key
}
