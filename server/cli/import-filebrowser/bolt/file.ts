import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { AppError } from '../../../errors.ts'
import { damaged } from './errors.ts'
import { LARGEST_PAGE, looksLikeBolt, newestMeta } from './meta.ts'
import type { Bolt } from './pages.ts'

/** Maximum size of a database, in bytes; a hundred thousand links take a tenth of it. */
const LARGEST = 256 * 1024 * 1024
/** Attempts to read the file while File Browser does not write it. */
const TRIES = 10
const SQLITE = 'SQLite format 3\0'

/**
 * Reads a bbolt database into memory, in the state of its last complete transaction. The file is opened read-only and not
 * locked, so File Browser can keep running.
 * @throws AppError `bad_request` with a message for any other file
 */
export function readBolt(path: string): Bolt {
  const file = openFile(path)
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const bolt = readOnce(file, path)
      // A transaction never overwrites pages of the state before, so the copy is consistent if that state is still the newest.
      if (newestMeta(readBytes(file, 2 * LARGEST_PAGE))?.change === bolt.change) return bolt
    }
  } finally {
    closeSync(file)
  }
  throw new AppError('bad_request', `${path} changes faster than it can be read. Stop the program that writes it.`)
}

function openFile(path: string): number {
  try {
    // Opening a pipe would block until it has a writer.
    if (statSync(path).isFile()) return openSync(path, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'The file does not exist' : `It cannot be read (${code})`
    throw new AppError('bad_request', `${path}: ${reason}.`, { cause: error })
  }
  throw new AppError('bad_request', `${path} is not a file.`)
}

function readOnce(file: number, path: string): Bolt {
  const { size } = fstatSync(file)
  if (size > LARGEST) throw new AppError('bad_request', `${path} is too large for a File Browser database.`)
  const bytes = readBytes(file, size)
  const meta = newestMeta(bytes)
  if (!meta) throw notBolt(path, bytes)
  if (meta.end * meta.pageSize > bytes.length) throw damaged('its end is missing')
  return { ...meta, bytes }
}

function notBolt(path: string, bytes: Buffer): AppError {
  if (bytes.toString('latin1', 0, SQLITE.length) === SQLITE) {
    return new AppError('bad_request', `${path} is an SQLite database, not one of File Browser.`)
  }
  const looks = looksLikeBolt(bytes)
  if (looks === 'other-order') {
    return new AppError(
      'bad_request',
      `${path} was written on a machine with another byte order. Export it there: filebrowser config export, filebrowser users export.`,
    )
  }
  if (looks === 'yes') return damaged('its header is invalid')
  return new AppError('bad_request', `${path} is not a database of File Browser.`)
}

function readBytes(file: number, most: number): Buffer {
  const bytes = Buffer.alloc(Math.min(most, fstatSync(file).size))
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, length)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}
