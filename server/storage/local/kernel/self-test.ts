import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { errnoOf } from '../errno.ts'
import { readNamesSync } from '../native-path.ts'
import type { Kernel, NameAt } from './kernel.ts'
import { MARK_WORDS, type Statx } from './statx.ts'

/** A descriptor that no process has. */
const CLOSED = 2 ** 30
/** Where the bytes that are sent begin, and how many they are. */
const SENT = { position: 5, count: 300 }

/**
 * The first call whose answers differ from those of `node:fs`, which are known to be right; `undefined` if there is
 * none.
 * @param file the real path of a file of some kilobytes that this process may read
 */
export function failedCall(kernel: Kernel, file: string): string | undefined {
  const opened: number[] = []
  const open = (descriptor: number) => {
    opened.push(descriptor)
    return descriptor
  }
  const tests: Record<string, () => boolean> = {
    statx: () => {
      const folder = open(openSync(dirname(file), constants.O_RDONLY | constants.O_DIRECTORY))
      const known = lstatSync(file, { bigint: true })
      const isMissing = kernel.statAt(folder, '\u{1F300}none') === undefined
      const fields = kernel.statAt(folder, basename(file))
      return isMissing && fields !== undefined && isSame(fields, known) && refusal(() => kernel.statAt(CLOSED, 'a'))
    },
    getdents64: () => {
      const folder = open(openSync(dirname(file), constants.O_RDONLY | constants.O_DIRECTORY))
      const names: string[] = []
      kernel.eachChild(folder, (name, kind) => {
        if (name !== basename(file) || kind === 'file' || kind === undefined) names.push(name)
      })
      const isSame = isDeepStrictEqual(names.toSorted(), readNamesSync(dirname(file)).toSorted())
      return isSame && refusal(() => kernel.eachChild(CLOSED, () => {}))
    },
    openat2: () => {
      const known = lstatSync(file, { bigint: true })
      const there = kernel.openCached(file)
      const isMissing = typeof kernel.openCached(`${file}\u{1F300}none`) !== 'number'
      const isLink = kernel.openCached('/proc/self/exe') === undefined
      // Some file systems never answer from memory.
      const isSame =
        there === undefined || (there !== 'missing' && fstatSync(open(there), { bigint: true }).ino === known.ino)
      return isSame && isMissing && isLink
    },
    renameat2: () => {
      const folder = open(openSync(dirname(file), constants.O_RDONLY | constants.O_DIRECTORY))
      const [there, closed] = [folder, CLOSED].map(at => ({ folder: at, name: '\u{1F300}none' })) as [NameAt, NameAt]
      const isRefused = refusal(() => kernel.renameNew(there, closed)) && refusal(() => kernel.exchange(closed, there))
      return isRefused && failsAs('EINVAL', () => kernel.renameNew(there, { folder, name: '../none' }))
    },
    linkat: () => {
      const folder = open(openSync(dirname(file), constants.O_RDONLY | constants.O_DIRECTORY))
      const one = open(openSync(file, 'r'))
      const taken = { folder, name: basename(file) }
      const isRefused = refusal(() => kernel.link(one, { folder: CLOSED, name: basename(file) }))
      return (
        isRefused &&
        failsAs('ENOENT', () => kernel.link(CLOSED, taken)) &&
        failsAs('EEXIST', () => kernel.link(one, taken))
      )
    },
    fcntl: () => {
      const one = open(openSync(file, 'r'))
      const other = open(kernel.duplicate(one))
      const isOther = other !== one && fstatSync(one).ino === fstatSync(other).ino
      const isClosedOnExec = (Number(/flags:\s+(\d+)/.exec(factsOf(other))?.[1]?.slice(-7, -6)) & 2) === 2
      return isOther && isClosedOnExec && refusal(() => kernel.duplicate(CLOSED))
    },
    sendfile: () => {
      const source = open(openSync(file, 'r'))
      const target = open(kernel.memoryFile('filigree'))
      const isAll = kernel.sendFile(target, source, SENT.position, SENT.count) === SENT.count
      const isBytes = bytesIn(target, 0).equals(bytesIn(source, SENT.position))
      return isAll && isBytes && refusal(() => kernel.sendFile(CLOSED, source, 0, 1))
    },
    copy_file_range: () => {
      const [source, target] = [open(kernel.memoryFile('filigree')), open(kernel.memoryFile('filigree'))]
      kernel.sendFile(source, open(openSync(file, 'r')), 0, SENT.position + SENT.count)
      const isAll = kernel.copyRange(source, target, SENT.position, SENT.count) === SENT.count
      const isBytes = bytesIn(target, SENT.position).equals(bytesIn(source, SENT.position))
      return isAll && isBytes && refusal(() => kernel.copyRange(CLOSED, target, 0, 1))
    },
    preadv2: () => {
      const target = open(kernel.memoryFile('filigree'))
      return !kernel.isCached(target, 0) && !kernel.isCached(CLOSED, 0)
    },
  }
  try {
    return Object.keys(tests).find(name => !isPassed(tests[name]))
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

function isPassed(test: (() => boolean) | undefined): boolean {
  try {
    return test?.() === true
  } catch {
    return false
  }
}

function isSame(fields: Statx, known: BigIntStats): boolean {
  const isSameMode = BigInt(fields.mode) === known.mode
  return (
    isSameMode &&
    fields.bytes === Number(known.size) &&
    isSameMarks(fields, known) &&
    (['size', 'ino', 'birthtimeNs', 'mtimeNs', 'ctimeNs'] as const).every(key => fields[key] === known[key])
  )
}

function isSameMarks(fields: Statx, { ino, birthtimeNs, size, mtimeNs, ctimeNs }: BigIntStats): boolean {
  const words = new Uint32Array(MARK_WORDS)
  fields.writeMarks(words, 0)
  return isDeepStrictEqual([...new BigInt64Array(words.buffer)], [ino, birthtimeNs, size, mtimeNs, ctimeNs])
}

const refusal = (call: () => unknown): boolean => failsAs('EBADF', call)

function failsAs(errno: string, call: () => unknown): boolean {
  try {
    call()
    return false
  } catch (thrown) {
    return errnoOf(thrown) === errno
  }
}

const factsOf = (descriptor: number) => readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')

function bytesIn(descriptor: number, position: number): Buffer {
  const bytes = Buffer.alloc(SENT.count)
  readSync(descriptor, bytes, 0, SENT.count, position)
  return bytes
}
