import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { AppError } from '../../../errors.ts'
import { damaged } from './errors.ts'
import { LARGEST_PAGE, looksLikeBolt, newestMeta } from './meta.ts'
import type { Bolt } from './pages.ts'

/** Bytes of the largest database that is read: a hundred thousand links take a tenth of that. */
const LARGEST = 256 * 1024 * 1024
/** Tries to read a file to its end before a program that writes it changes it. */
const TRIES = 10
const SQLITE = 'SQLite format 3\0'

/**
 * Reads a bbolt database into memory, in the state of its last complete change. The file is opened for reading only
 * and not locked, so the program that writes it may go on.
 * @throws AppError `bad_request` with a sentence for what is not such a file
 */
export function readBolt(path: string): Bolt {
  const file = openFile(path)
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const bolt = readOnce(file, path)
      // A change writes only where nothing of the state before it lies, so the state is whole while it is the newest.
      if (newestMeta(readBytes(file, 2 * LARGEST_PAGE))?.change === bolt.change) return bolt
    }
  } finally {
    closeSync(file)
  }
  throw new AppError('bad_request', `${path} changes faster than it can be read. Stop the program that writes it.`)
}

function openFile(path: string): number {
  try {
    // Opening a pipe would wait for somebody who writes into it.
    if (statSync(path).isFile()) return openSync(path, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'There is no such file' : `It cannot be read (${code})`
    throw new AppError('bad_request', `${path}: ${reason}.`, { cause: error })
  }
  throw new AppError('bad_request', `${path} is no file.`)
}

function readOnce(file: number, path: string): Bolt {
  const { size } = fstatSync(file)
  if (size > LARGEST) throw new AppError('bad_request', `${path} is larger than any database of users and links.`)
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
  if (looks === 'yes') return damaged('its beginning makes no sense')
  return new AppError('bad_request', `${path} is no database of File Browser.`)
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
