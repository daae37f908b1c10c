import { bytesOf, textOf } from '../../../shared/bytes.ts'
import { checkName, type FilePath, PathError, ROOT, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'

/** Bytes of the longest key. */
const MAX_KEY_BYTES = 1024
/** Names of ours begin so; whoever calls a file so gets another key. */
const OWN = '.~f'
/** Before the bytes of a name that a key cannot have: keys are UTF-8. */
const CARRIED = `${OWN}b-`
/** The folder of all that nobody is to see. */
export const AREA = `${OWN}g/`

function keyName(name: string): string {
  if (name.isWellFormed() && !name.startsWith(OWN)) return name
  return CARRIED + Buffer.from(bytesOf(name)).toString('base64url')
}

/** The name that a part of a key stands for; nothing for what is ours and for what no path can name (`''`, `..`). */
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
 * @param base where keys of the store begin: `''`, or with a slash at its end
 * @throws name_too_long
 */
export function fileKey(base: string, path: FilePath): string {
  return demandShort(base + segmentsOf(path).map(keyName).join('/'))
}

/** Where the keys of all that is in a folder begin, which is also the key of the folder's marker. @throws name_too_long */
export function folderKey(base: string, folder: FilePath): string {
  return folder === ROOT ? base : demandShort(`${fileKey(base, folder)}/`)
}

/** The paths of a thing and of all folders above it, outermost first, from its key behind some folder's; nothing if no path names it. */
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
