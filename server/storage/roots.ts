import { resolve } from 'node:path'
import { AppError } from '../errors.ts'
import type { StorageDriver } from './driver.ts'
import type { LocalOptions } from './local.ts'
import { parseS3Address } from './s3/address.ts'
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

interface Kind {
  /** How its addresses begin. */
  scheme: RegExp
  /** @throws AppError `bad_request` with a sentence for the console */
  describe(text: string): Root
  /** @throws AppError with a sentence for the console when it cannot be used */
  open(root: string, options: RootOptions): Promise<StorageDriver>
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
}

/** Every kind of place that can be served, by its address alone: the one list of them. The last takes what is left. */
const KINDS: readonly Kind[] = [BUCKET, FOLDER]

const kindOf = (root: string): Kind => KINDS.find(({ scheme }) => scheme.test(root)) ?? FOLDER

/** What a text names. @throws AppError `bad_request` with a sentence for the console when it makes no sense */
export const describeRoot = (text: string): Root => kindOf(text).describe(text)

/** Opens what is served. @throws AppError with a sentence for the console when it cannot be used */
export const openRoot = (root: string, options: RootOptions): Promise<StorageDriver> => kindOf(root).open(root, options)
