import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { segmentsOf } from '../../../shared/path.ts'
import { otherSpellings } from '../../../shared/spelling.ts'
import type { ReadRequest } from '../batch.ts'
import { SHORT } from './case-folding.ts'
import { type Handle, holdExactlySync } from './handle.ts'
import { nativePath } from './native-path.ts'
import { type Facts, factsOf, isSameObject } from './stat-fields.ts'

/** Files to read. */
export interface FilesToRead {
  /** A real path without a trailing slash. */
  root: string
  requests: readonly ReadRequest[]
  /** Whether a guard saw the names, so that they must be spelled as listed. */
  isGuarded: boolean
  /** Memory to reuse; a new buffer is allocated where the contents do not fit. */
  memory?: Uint8Array<ArrayBuffer>
}

/** What was read of each file: the contents stand one after the other at the beginning of `bytes`. */
export interface ReadResult {
  found: readonly (Facts | undefined)[]
  bytes: Uint8Array<ArrayBuffer>
}

/** Minimum buffer size, so that buffers can be reused. */
const ROOM = 64 * 1024

/**
 * Reads many small files with synchronous calls: asynchronous ones would wake a thread for every call, and the event
 * loop after it. A file is only returned if its real path equals the requested path.
 */
export function readFiles({ root, requests, isGuarded, memory: given }: FilesToRead): ReadResult {
  const wanted = requests.reduce((sum, { bytes }) => sum + bytes, 0)
  const memory = given && given.length >= wanted ? given : new Uint8Array(roomFor(wanted))
  const listed = new Set<string>()
  let at = 0
  const found = requests.map(request => {
    try {
      if (isGuarded) demandListed(root, request, listed)
      const facts = readOne(root + request.file, memory.subarray(at, at + request.bytes))
      at += request.bytes
      return facts
    } catch {
      return undefined
    }
  })
  return { found, bytes: memory }
}

/** A power of two. */
const roomFor = (bytes: number) => Math.max(ROOM, 2 ** Math.ceil(Math.log2(bytes)))

/** @param into receives as many bytes as fit */
function readOne(real: string, into: Uint8Array): Facts {
  const handle = holdExactlySync(real)
  try {
    if (!handle.stat.isFile()) throw new Error('not a regular file')
    return readHeld(handle, into)
  } finally {
    handle.close()
  }
}

function readHeld({ at, stat }: Handle, into: Uint8Array): Facts {
  const fd = openSync(at, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const opened = fstatSync(fd, { bigint: true })
    if (!isSameObject(opened, stat)) throw new Error('the file was replaced')
    for (let done = 0; done < into.length; ) {
      const count = readSync(fd, into, done, into.length - done, done)
      if (count === 0) throw new Error('the file is shorter than requested')
      done += count
    }
    return factsOf(opened)
  } finally {
    closeSync(fd)
  }
}

/**
 * Some file systems open a file under other names than the listed one; see case-folding.ts. @param listed paths known
 * to be spelled as listed
 */
function demandListed(root: string, { file }: ReadRequest, listed: Set<string>): void {
  let folder = root
  for (const name of segmentsOf(file)) {
    const path = `${folder}/${name}`
    if (!listed.has(path)) {
      if (SHORT.test(name) || otherSpellings(name).some(other => isSame(path, `${folder}/${other}`)))
        throw new Error('the name may differ from the listed one')
      listed.add(path)
    }
    folder = path
  }
}

function isSame(path: string, other: string): boolean {
  const alike = statAt(other)
  const own = alike && statAt(path)
  return alike !== undefined && own !== undefined && isSameObject(alike, own)
}

const statAt = (path: string) => lstatSync(nativePath(path), { bigint: true, throwIfNoEntry: false })
