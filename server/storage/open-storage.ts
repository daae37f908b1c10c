import { join, resolve } from 'node:path'
import { parsePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { SpareFiles, StorageDriver } from './driver.ts'
import type { LocalOptions } from './local.ts'
import { overlaps, parseS3Address } from './s3/address.ts'
import type { S3Options } from './s3.ts'

/** What a host serves, as its settings name it; nothing was opened for that. */
export interface Root {
  /** An absolute path, or the address of a store that lies elsewhere. */
  root: string
  /** The folder of this host that it is; nothing where files lie elsewhere. */
  rootFolder: string | undefined
}

/** All that roots are opened with; each kind takes what it knows. */
export type RootOptions = Omit<LocalOptions, 'root' | 'confinement'> & Omit<S3Options, 'address'>

/** All that folders of this host are opened with which are only looked into. */
export type FolderOptions = Pick<RootOptions, 'stagingKey'>

/** All that places for what can be made anew are opened with. */
export type SpareOptions = Pick<RootOptions, 'credentials' | 'stagingKey'>

interface Kind {
  /** How its addresses begin. */
  scheme: RegExp
  /** @throws AppError `bad_request` with a sentence for the console */
  describe(text: string): Root
  /** @throws AppError with a sentence for the console when it cannot be used */
  open(root: string, options: RootOptions): Promise<StorageDriver>
  /** @throws AppError with a sentence for the console when it cannot be used */
  openSpare(place: string, options: SpareOptions): Promise<SpareFiles>
  /** Whether one of this kind, and another of any, are known to lie in each other from their addresses alone. */
  overlaps(one: string, other: string): boolean
}

const BUCKET: Kind = {
  scheme: /^s3:\/\//i,
  describe(text) {
    parseS3Address(text)
    return { root: text, rootFolder: undefined }
  },
  async open(root, options) {
    const { openS3 } = await import('./s3.ts')
    return openS3({ ...options, address: root })
  },
  async openSpare(place, { credentials }) {
    const { openSpareS3 } = await import('./s3/cache-store.ts')
    return openSpareS3({ address: place, credentials })
  },
  overlaps: (one, other) => kindOf(other) === BUCKET && overlaps(parseS3Address(one), parseS3Address(other)),
}

const FOLDER: Kind = {
  scheme: /^/,
  describe: text => ({ root: resolve(text), rootFolder: resolve(text) }),
  async open(root, options) {
    const { openLocal } = await import('./local.ts')
    try {
      return await openLocal({ ...options, root })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const sentence = `The folder ${root} cannot be served (${error.code}). Make it, or name another with --root.`
      throw new AppError(error.code, sentence, { cause: error })
    }
  },
  /** They lie in a folder of their own in there, which only the server's own account may look into. */
  async openSpare(place, { stagingKey }) {
    const { openLocal, spareInFolder } = await import('./local.ts')
    try {
      const whole = await openLocal({ root: place, create: true, stagingKey, fileMode: 0o600, dirMode: 0o700 })
      const folder = parsePath('/previews')
      await whole.mkdir(folder)
      return await spareInFolder(await whole.within(folder), join(place, 'previews'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const sentence = `The folder ${place} cannot keep previews (${error.code}). Name another with --cacheDir or --previewDir.`
      throw new AppError(error.code, sentence, { cause: error })
    }
  },
  // Whether folders do is seen by following the links in them.
  overlaps: () => false,
}

/** Every kind of place that can be served, by its address alone: the one list of them. The last takes what is left. */
const KINDS: readonly Kind[] = [BUCKET, FOLDER]

const kindOf = (root: string): Kind => KINDS.find(({ scheme }) => scheme.test(root)) ?? FOLDER

/** What a text names. @throws AppError `bad_request` with a sentence for the console when it makes no sense */
export const describeRoot = (text: string): Root => kindOf(text).describe(text)

/** Opens what is served. @throws AppError with a sentence for the console when it cannot be used */
export const openRoot = (root: string, options: RootOptions): Promise<StorageDriver> => kindOf(root).open(root, options)

/**
 * What a text names as the place of what can be made anew, which everybody could see among the files that are served.
 * @throws AppError `bad_request` with a sentence for the console when it makes no sense, or is known to lie in the root
 */
export function describeSpare(text: string, { root }: Root): Root {
  const kind = kindOf(text)
  const described = kind.describe(text)
  if (!kind.overlaps(described.root, root)) return described
  throw new AppError('bad_request', `The previews in ${text} would lie among the files of ${root}. Name another place.`)
}

/** Opens a place for what can be made anew. @throws AppError with a sentence for the console when it cannot be used */
export const openSpare = (place: string, options: SpareOptions): Promise<SpareFiles> =>
  kindOf(place).openSpare(place, options)

/**
 * Opens a folder of this host, whatever its name looks like, to read what is in it.
 * @throws not_found, not_a_folder
 */
export async function openFolder(folder: string, options: FolderOptions): Promise<StorageDriver> {
  const { openLocal } = await import('./local.ts')
  return openLocal({ ...options, root: resolve(folder) })
}
