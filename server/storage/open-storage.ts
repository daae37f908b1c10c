import { join, resolve } from 'node:path'
import { type FilePath, isWithin, parsePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Crawlable, CrawlableBucket, KeyReader } from './crawlable.ts'
import type { CacheStore, StorageDriver } from './driver.ts'
import type { LocalOptions } from './local.ts'
import { overlaps, parseS3Address } from './s3/address.ts'
import type { S3Options } from './s3.ts'

/** A storage root as the settings name it; not opened yet. */
export interface Root {
  /** An absolute path, or the address of a remote store. */
  root: string
  /** Its local folder; `undefined` for remote storage. */
  rootFolder: string | undefined
}

/** Options for opening roots; each kind uses those it supports. */
export type RootOptions = Omit<LocalOptions, 'root' | 'confinement'> & Omit<S3Options, 'address'>

/** A further root as configured. */
export interface OtherRoot extends Root {
  name: string
  readOnly: boolean
  /** Its own credentials, if it has any. */
  credentials: RootOptions['credentials'] | undefined
}

/** Options for opening local folders that are only read. */
export type FolderOptions = Pick<RootOptions, 'stagingKey'>

/** Options for opening cache stores. */
export type CacheOptions = Pick<RootOptions, 'credentials' | 'stagingKey'>

interface Kind {
  /** Matches its addresses. */
  scheme: RegExp
  /** @throws AppError `bad_request` with a message for the console */
  describe(text: string): Root
  /** @throws AppError with a message for the console when it cannot be used */
  open(root: string, options: RootOptions): Promise<StorageDriver>
  /** @throws AppError with a message for the console when it cannot be used */
  openCache(place: string, options: CacheOptions): Promise<CacheStore>
  /** What a crawler of an opened root needs. */
  crawlable(root: string, options: CacheOptions): Promise<Crawlable>
  /** Whether a place of this kind and another are known to overlap from their addresses alone. */
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
  async openCache(place, { credentials }) {
    const { openCacheS3 } = await import('./s3/cache-store.ts')
    return openCacheS3({ address: place, credentials })
  },
  async crawlable(root, { credentials }) {
    const { endpoint, bucket, prefix } = parseS3Address(root)
    return { bucket: root, place: `${endpoint} ${bucket}/${prefix}`, credentials }
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
      const sentence = `The folder ${root} cannot be served (${error.code}). Create it, or choose another with --root.`
      throw new AppError(error.code, sentence, { cause: error })
    }
  },
  /** Files lie in a subfolder that only the server's own account can access. */
  async openCache(place, { stagingKey }) {
    const { openLocal, cacheInFolder } = await import('./local.ts')
    try {
      const whole = await openLocal({ root: place, create: true, stagingKey, fileMode: 0o600, dirMode: 0o700 })
      const folder = parsePath('/previews')
      await whole.mkdir(folder)
      return await cacheInFolder(await whole.within(folder), join(place, 'previews'))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const sentence = `The folder ${place} cannot store previews (${error.code}). Choose another with --cacheDir or --previewDir.`
      throw new AppError(error.code, sentence, { cause: error })
    }
  },
  async crawlable(root, { stagingKey }) {
    const { confinementLevel, hold } = await import('./local/handle.ts')
    const level = confinementLevel()
    const { real: folder, close } = await hold(level, root)
    close()
    return { folder, level, stagingKey }
  },
  // Overlapping folders are detected by resolving their links.
  overlaps: () => false,
}

/** Every kind of storage, selected by address. The last one matches any address. */
const KINDS: readonly Kind[] = [BUCKET, FOLDER]

const kindOf = (root: string): Kind => KINDS.find(({ scheme }) => scheme.test(root)) ?? FOLDER

/** Parses the name of a root. @throws AppError `bad_request` with a message for the console if it is invalid */
export const describeRoot = (text: string): Root => kindOf(text).describe(text)

/** Opens a root. @throws AppError with a message for the console when it cannot be used */
export const openRoot = (root: string, options: RootOptions): Promise<StorageDriver> => kindOf(root).open(root, options)

/** What a crawler of an opened root needs. */
export const crawlable = (root: string, options: CacheOptions): Promise<Crawlable> =>
  kindOf(root).crawlable(root, options)

/** Opens a bucket for a crawler. */
export async function openKeys(bucket: CrawlableBucket): Promise<KeyReader> {
  const { openKeyReader } = await import('./s3/key-reader.ts')
  return openKeyReader(bucket)
}

/**
 * Parses the name of a cache store, which must not be visible among the served files.
 * @throws AppError `bad_request` with a message for the console if it is invalid, or known to lie in the root
 */
export function describeCache(text: string, { root }: Root): Root {
  const kind = kindOf(text)
  const described = kind.describe(text)
  if (!kind.overlaps(described.root, root)) return described
  throw new AppError(
    'bad_request',
    `The previews in ${text} would lie among the files of ${root}. Choose another place.`,
  )
}

/** Whether two roots are known to lie in each other from their names alone. */
export function rootsOverlap(one: Root, other: Root): boolean {
  if (one.rootFolder !== undefined && other.rootFolder !== undefined)
    return foldersOverlap(one.rootFolder, other.rootFolder)
  return kindOf(one.root).overlaps(one.root, other.root)
}

/** @param one an absolute path, as is the other */
export const foldersOverlap = (one: string, other: string): boolean =>
  isWithin(one as FilePath, other as FilePath) || isWithin(other as FilePath, one as FilePath)

/** Opens a cache store. @throws AppError with a message for the console when it cannot be used */
export const openCache = (place: string, options: CacheOptions): Promise<CacheStore> =>
  kindOf(place).openCache(place, options)

/**
 * Opens a local folder for reading, whatever its name looks like.
 * @throws not_found, not_a_folder
 */
export async function openFolder(folder: string, options: FolderOptions): Promise<StorageDriver> {
  const { openLocal } = await import('./local.ts')
  return openLocal({ ...options, root: resolve(folder) })
}
