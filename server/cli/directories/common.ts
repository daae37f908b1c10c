import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { Directory } from '../../features/directories/directory.ts'
import { DirectoryError } from '../../features/directories/directory-error.ts'
import { printable } from '../print.ts'

/** A directory that the host names. @throws AppError `not_found` */
export function demandDirectory({ directories }: Pick<Config, 'directories'>, slug: string): Directory {
  const settings = directories.find(known => known.slug === slug)
  if (!settings) throw new AppError('not_found', `The configuration names no directory '${printable(slug)}'.`)
  return new Directory(settings)
}

/** @throws AppError with a sentence for the console */
export function explain(error: unknown): never {
  if (!(error instanceof DirectoryError)) throw error
  throw new AppError('unavailable', printable(`The directory cannot be used: ${error.message}.`))
}
