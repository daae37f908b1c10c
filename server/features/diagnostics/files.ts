import type { HandedFile } from '../../../shared/api/diagnostics.ts'
import { encodeName, shownName } from '../../../shared/bytes.ts'
import { type FilePath, ROOT, segmentsOf } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Entry } from '../../files/types.ts'
import { quotedWord } from '../../sandbox/shell-split.ts'

/** Files to try, each from another folder: permissions differ between folders. */
const SAMPLES = 3
/** Folders searched for them, and entries read in each. */
const FOLDERS = 100
const THINGS = 1000
/** Bytes: a proxy may ignore the range and send the whole file, so larger files are not used. */
const LARGEST = 1024 ** 2

/**
 * Some files that the proxy should send itself (X-Accel-Redirect), the topmost that the user may read. Existing files
 * are used: a file created for this would lack their owners and modes (docs/design/scaling.md).
 * @param root the served folder on the host
 */
export async function filesToTry(own: Files, root: string): Promise<HandedFile[]> {
  const found: HandedFile[] = []
  const folders: FilePath[] = [ROOT]
  for (let at = 0; at < Math.min(folders.length, FOLDERS) && found.length < SAMPLES; at += 1) {
    const entries = (await unlessRefused(firstIn(own, folders[at] ?? ROOT))) ?? []
    folders.push(...entries.filter(({ kind, isLink }) => kind === 'folder' && !isLink).map(({ path }) => path))
    const file = entries.find(({ kind, size }) => kind === 'file' && size > 0 && size <= LARGEST)
    const handed = file && (await unlessRefused(handedFile(own, file, root)))
    if (handed) found.push(handed)
  }
  return found
}

async function firstIn(own: Files, folder: FilePath): Promise<Entry[]> {
  const listing = await own.listing(folder, DEFAULT_SORTING)
  const first: Entry[] = []
  try {
    for await (const batch of listing.entries) {
      first.push(...batch)
      if (first.length >= THINGS) break
    }
    return first
  } finally {
    await listing.close()
  }
}

async function handedFile(own: Files, { path, size }: Entry, root: string): Promise<HandedFile | undefined> {
  const file = await own.open(path)
  await file.close()
  if (file.place === undefined) return undefined
  const folder = quotedWord(root)
  return {
    path: shownName(path),
    address: `/api/raw/${segmentsOf(path).map(encodeName).join('/')}?inline=true`,
    place: file.place,
    size,
    lines: {
      missing: [`nginx:   alias ${quotedWord(`${root}/`)};  disable_symlinks on from=${folder};`],
      refused: [
        `runuser -u www-data -- find ${folder} ! -readable -print -quit`,
        'usermod --append --groups … www-data && systemctl reload nginx',
      ],
    },
  }
}

/** `undefined` for an entry that was deleted or refused in the meantime. */
async function unlessRefused<T>(looked: Promise<T>): Promise<T | undefined> {
  try {
    return await looked
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}
