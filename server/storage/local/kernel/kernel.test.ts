import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  lutimesSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ColumnsBuilder } from '../entry-batches.ts'
import { errnoOf, translated } from '../errno.ts'
import { nativePath, readNamesSync } from '../native-path.ts'
import { O_TMPFILE } from '../unnamed-file.ts'
import type { Kernel } from './kernel.ts'
import { isKnownSystem } from './native.ts'
import { kernelState } from './open-kernel.ts'
import { failedCall } from './self-test.ts'
import { MARK_WORDS, STATX_BYTES, Statx } from './statx.ts'

const { calls } = kernelState()
const kernel = calls as Kernel
const closed = 2 ** 30

let folder = ''
let held = -1
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kernel-'))
  held = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
})
afterAll(async () => {
  closeSync(held)
  await rm(folder, { recursive: true })
})

const hasAttributes = spawnSync('setfattr', ['--version']).status === 0

const failure = (act: () => unknown): string => {
  try {
    act()
    return ''
  } catch (thrown) {
    return errnoOf(thrown)
  }
}

const fieldsOf = (statx: Statx | undefined) => {
  const { mode, size, ino, mtimeNs, ctimeNs, birthtimeNs } = statx as Statx
  return { mode, size, ino, mtimeNs, ctimeNs, birthtimeNs }
}

test('the kernel is not called where the host says so', () => {
  expect(kernelState('off')).toEqual({ missing: '--kernel=off' })
})

test.runIf(isKnownSystem())('where Node has direct calls, each of them passes its self-test', () => {
  expect([undefined, `Node ${process.version}`]).toContain(kernelState().missing)
})

describe.runIf(calls)('where the kernel is called directly', () => {
  test('entries of every kind and name are described as by the runtime', async () => {
    await writeFile(join(folder, 'empty'), '')
    await writeFile(join(folder, 'ä 🌀'), 'content')
    await writeFile(nativePath(join(folder, '\uDCFFbytes')), 'x')
    await writeFile(join(folder, 'n'.repeat(255)), 'x')
    await writeFile(join(folder, 'large'), 'x')
    await truncate(join(folder, 'large'), 5 * 2 ** 32 + 7)
    await chmod(join(folder, 'large'), 0o4751)
    await mkdir(join(folder, 'folder'))
    await symlink('nowhere', join(folder, 'link'))
    execFileSync('mkfifo', [join(folder, 'fifo')])
    for (const name of ['empty', 'ä 🌀', '\uDCFFbytes', 'n'.repeat(255), 'large', 'folder', 'link', 'fifo']) {
      const { mode, size, ino, mtimeNs, ctimeNs, birthtimeNs } = lstatSync(nativePath(join(folder, name)), {
        bigint: true,
      })
      const known = { mode: Number(mode), size, ino, mtimeNs, ctimeNs, birthtimeNs }
      expect(fieldsOf(kernel.statAt(held, name)), name).toEqual(known)
    }
  })

  test.each([-12_345_678_901, -1, 0, 1, 951_782_400, 2 ** 31, 2 ** 33 - 1, 2 ** 33 + 1, 2 ** 34 - 1])(
    'times and sizes of %i seconds are written as integers and numbers without a loss',
    async seconds => {
      const file = join(folder, 'dated')
      await writeFile(file, '')
      await truncate(file, Math.abs(seconds) * 7)
      lutimesSync(file, new Date(0), new Date(seconds * 1000 + 1))
      const statx = kernel.statAt(held, 'dated') as Statx
      const { ino, birthtimeNs, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true })
      const words = new Uint32Array(MARK_WORDS + 1)
      statx.writeMarks(words, 1)
      const marks = new BigInt64Array(words.buffer.slice(4))
      expect([...marks]).toEqual([ino, birthtimeNs, size, BigInt.asIntN(64, mtimeNs), ctimeNs])
      expect(statx.bytes).toBe(Number(size))
      const columns = new ColumnsBuilder(1)
      columns.addStatx('dated', 'file', statx)
      expect(columns.done().numbers[1]).toBe(Number(mtimeNs) / 1e6)
      await rm(file)
    },
  )

  test('children are those that the runtime reads, with their kinds, in a folder of thousands too', async () => {
    const many = join(folder, 'many')
    await mkdir(join(many, 'folder'), { recursive: true })
    await symlink('nowhere', join(many, 'link'))
    await writeFile(nativePath(join(many, '\uDCFFbytes \uFFFD')), '')
    for (let at = 0; at < 3000; at++) await writeFile(join(many, `${at} ${'ä'.repeat(at % 120)}`), '')
    const open = openSync(many, constants.O_RDONLY | constants.O_DIRECTORY)
    const found = new Map<string, string | undefined>()
    kernel.eachChild(open, (name, kind) => found.set(name, kind))
    closeSync(open)
    expect([...found.keys()].toSorted()).toEqual(readNamesSync(many).toSorted())
    expect(['folder', 'link', '\uDCFFbytes \uFFFD'].map(name => found.get(name))).toEqual(['folder', 'link', 'file'])
    expect(failure(() => kernel.eachChild(closed, () => {}))).toBe('EBADF')
    const file = openSync(process.execPath, 'r')
    expect(failure(() => kernel.eachChild(file, () => {}))).toBe('ENOTDIR')
    closeSync(file)
    const removed = openSync(many, constants.O_RDONLY | constants.O_DIRECTORY)
    await rm(many, { recursive: true })
    kernel.eachChild(removed, name => expect.unreachable(name))
    closeSync(removed)
  })

  test('errors are those of the runtime', async () => {
    expect(kernel.statAt(held, 'none')).toBeUndefined()
    expect(failure(() => kernel.statAt(held, 'n'.repeat(256)))).toBe('ENAMETOOLONG')
    expect(failure(() => kernel.statAt(held, 'n'.repeat(100_000)))).toBe('ENAMETOOLONG')
    expect(failure(() => kernel.statAt(closed, 'a'))).toBe('EBADF')
    const file = openSync(process.execPath, 'r')
    expect(failure(() => kernel.statAt(file, 'a'))).toBe('ENOTDIR')
    expect(failure(() => kernel.sendFile(file, file, 0, 1))).toBe('EBADF')
    closeSync(file)
    try {
      kernel.duplicate(closed)
    } catch (thrown) {
      expect(translated(thrown).code).toBe('internal')
    }
  })

  test('a name is one name, and no path', () => {
    for (const name of ['../etc', '/etc', 'a\0b']) expect(failure(() => kernel.statAt(held, name))).toBe('EINVAL')
  })

  test('DAV-30: two folders are exchanged in one step, and each keeps its content', async () => {
    for (const name of ['one', 'other ä 🌀']) {
      await mkdir(join(folder, name, name), { recursive: true })
    }
    const spot = (name: string) => ({ folder: held, name })
    kernel.exchange(spot('one'), spot('other ä 🌀'))
    expect(lstatSync(join(folder, 'one/other ä 🌀')).isDirectory()).toBe(true)
    expect(lstatSync(join(folder, 'other ä 🌀/one')).isDirectory()).toBe(true)
    expect(failure(() => kernel.exchange(spot('one'), spot('none')))).toBe('ENOENT')
    expect(failure(() => kernel.exchange(spot('one'), { folder: closed, name: 'one' }))).toBe('EBADF')
    expect(failure(() => kernel.exchange(spot('one'), spot('../one')))).toBe('EINVAL')
  })

  test('an object gets a free name in one step, and no object gives way', async () => {
    await mkdir(join(folder, 'mine'))
    await writeFile(join(folder, 'standing'), 'x')
    const spot = (name: string) => ({ folder: held, name })
    kernel.renameNew(spot('mine'), spot('new ä 🌀'))
    expect(lstatSync(join(folder, 'new ä 🌀')).isDirectory()).toBe(true)
    for (const name of ['standing', 'new ä 🌀'])
      expect(failure(() => kernel.renameNew(spot('standing'), spot(name)))).toBe('EEXIST')
    expect(failure(() => kernel.renameNew(spot('none'), spot('other')))).toBe('ENOENT')
    expect(failure(() => kernel.renameNew(spot('standing'), { folder: closed, name: 'a' }))).toBe('EBADF')
    expect(failure(() => kernel.renameNew(spot('standing'), spot('../standing')))).toBe('EINVAL')
  })

  test('an open file gets a further name, and a file without a name its first one, if that is free', async () => {
    await writeFile(join(folder, 'linked'), 'content')
    const file = openSync(join(folder, 'linked'), 'r')
    const unnamed = openSync(folder, O_TMPFILE | constants.O_RDWR, 0o600)
    const spot = (name: string) => ({ folder: held, name })
    kernel.link(file, spot('second'))
    kernel.link(unnamed, spot('first ä 🌀'))
    expect(lstatSync(join(folder, 'second')).ino).toBe(fstatSync(file).ino)
    expect(lstatSync(join(folder, 'first ä 🌀')).ino).toBe(fstatSync(unnamed).ino)
    expect(failure(() => kernel.link(file, spot('second')))).toBe('EEXIST')
    expect(failure(() => kernel.link(closed, spot('third')))).toBe('ENOENT')
    expect(failure(() => kernel.link(-1, spot('third')))).toBe('EBADF')
    expect(failure(() => kernel.link(file, { folder: closed, name: 'a' }))).toBe('EBADF')
    expect(failure(() => kernel.link(file, spot('../third')))).toBe('EINVAL')
    closeSync(file)
    closeSync(unnamed)
  })

  test('programs do not inherit a duplicate', () => {
    const duplicate = kernel.duplicate(held)
    const listed = execFileSync('ls', ['/proc/self/fd'], { encoding: 'utf8' }).split('\n')
    closeSync(duplicate)
    expect(listed).not.toContain(String(duplicate))
  })

  test('bytes of a file are copied to the same offset of another one, up to its end', () => {
    const [source, target] = [kernel.memoryFile('source'), kernel.memoryFile('target')]
    writeSync(source, 'content of a file')
    expect(kernel.copyRange(source, target, 8, 2)).toBe(2)
    expect(readFileSync(`/proc/self/fd/${target}`, 'utf8')).toBe(`${'\0'.repeat(8)}of`)
    expect(kernel.copyRange(source, target, 11, 100)).toBe(6)
    expect(kernel.copyRange(source, target, 17, 100)).toBe(0)
    expect(failure(() => kernel.copyRange(source, closed, 0, 1))).toBe('EBADF')
    expect(failure(() => kernel.copyRange(source, target, -1, 1))).toBe('EINVAL')
    closeSync(source)
    closeSync(target)
  })

  test('bytes of a file arrive from the offset and up to its end', () => {
    const source = openSync(process.execPath, 'r')
    const target = kernel.memoryFile('test')
    expect(kernel.sendFile(target, source, 1000, 5000)).toBe(5000)
    expect(kernel.sendFile(target, source, 2 ** 40, 5000)).toBe(0)
    expect(readFileSync(`/proc/self/fd/${target}`).equals(readFileSync(process.execPath).subarray(1000, 6000))).toBe(
      true,
    )
    closeSync(source)
    closeSync(target)
  })

  test.runIf(hasAttributes)(
    'J14: an extended attribute is that of the programs of the system, also of an object open without its content',
    async () => {
      const file = join(folder, 'attributes')
      await writeFile(file, '')
      execFileSync('setfattr', ['-n', 'user.xdg.tags', '-v', 'Büro', file])
      const descriptor = openSync(file, 0o10000000)
      try {
        expect(kernel.attribute(descriptor, 'user.xdg.tags')?.toString()).toBe('Büro')
        expect(kernel.attribute(descriptor, 'user.none')).toBeUndefined()
        const value = Buffer.from('Köln,a b')
        kernel.setAttribute(descriptor, 'user.xdg.tags', value)
        expect(execFileSync('getfattr', ['--only-values', '-n', 'user.xdg.tags', file])).toEqual(value)
        expect(failure(() => kernel.setAttribute(descriptor, 'user.xdg.tags', Buffer.alloc(5000)))).toBe('ENOSPC')
      } finally {
        closeSync(descriptor)
      }
      for (const name of ['trusted.a', 'user.', 'user.a\0', `user.${'a'.repeat(300)}`])
        expect(failure(() => kernel.attribute(held, name))).toBe('EINVAL')
      expect(failure(() => kernel.attribute(-1, 'user.a'))).toBe('EBADF')
    },
  )

  test('a path is opened from memory where it is whole and no link is on it, and nothing is opened otherwise', async () => {
    const inner = join(folder, 'opened', 'ä 🌀')
    const bytes = nativePath(join(folder, 'opened', '\uDCFEbytes'))
    await mkdir(inner, { recursive: true })
    await writeFile(bytes, 'x')
    await symlink('opened', join(folder, 'way'))
    await symlink('ä 🌀', join(folder, 'opened', 'last'))
    for (const path of [inner, bytes]) {
      const known = lstatSync(path, { bigint: true })
      const there = kernel.openCached(path)
      if (typeof there !== 'number') throw new Error('it was made a moment ago')
      expect(fstatSync(there, { bigint: true }).ino).toBe(known.ino)
      // Its content was not opened.
      expect(failure(() => readSync(there, Buffer.alloc(1)))).toBe('EBADF')
      closeSync(there)
    }
    await expect(lstat(join(folder, 'none'))).rejects.toThrow('ENOENT')
    expect(kernel.openCached(join(folder, 'none'))).toBe('missing')
    const others = ['way', 'way/ä 🌀', 'opened/last', 'opened/\0', `${'n'.repeat(250)}/`.repeat(17), 'ä'.repeat(4000)]
    for (const name of others) expect(kernel.openCached(join(folder, name)), name).toBeUndefined()
    expect(kernel.openCached(`/proc/self/fd/${held}`)).toBeUndefined()
    expect(kernel.openCached(Buffer.alloc(5000, '/'))).toBeUndefined()
    expect(kernel.openCached('.')).toBeUndefined()
    expect(kernel.openCached(join(folder, 'opened', '\uDCFEbytes'))).toBeUndefined()
    expect(kernel.openCached(Buffer.from(`${inner}\0`))).toBeUndefined()
  })

  test('the self-test passes, and finds a call with other answers', () => {
    const changed = (more: Partial<Kernel>) => Object.assign(Object.create(kernel), more) as Kernel
    const bound =
      (name: keyof Kernel) =>
      (...all: never[]) =>
        (kernel[name] as (...all: never[]) => never)(...all)
    const usual = {
      statAt: bound('statAt'),
      openCached: bound('openCached'),
      duplicate: bound('duplicate'),
      memoryFile: bound('memoryFile'),
      eachChild: bound('eachChild'),
      exchange: bound('exchange'),
      renameNew: bound('renameNew'),
      link: bound('link'),
    }
    const whole = {
      ...usual,
      sendFile: bound('sendFile'),
      isCached: bound('isCached'),
      copyRange: bound('copyRange'),
    } as Partial<Kernel>
    expect(failedCall(changed(whole), process.execPath)).toBeUndefined()
    const otherBytes = (at: number, name: string) =>
      kernel.statAt(at, name) && new Statx(new DataView(new ArrayBuffer(STATX_BYTES)), 0)
    expect(failedCall(changed({ ...whole, statAt: otherBytes }), process.execPath)).toBe('statx')
    const without: Kernel['eachChild'] = (at, visit) => kernel.eachChild(at, name => visit(name.slice(1), 'file'))
    expect(failedCall(changed({ ...whole, eachChild: without }), process.execPath)).toBe('getdents64')
    const wrong = (socket: number, file: number, position: number, count: number) =>
      kernel.sendFile(socket, file, position + 1, count)
    expect(failedCall(changed({ ...whole, sendFile: wrong }), process.execPath)).toBe('sendfile')
    const shifted: Kernel['copyRange'] = (from, to, position, count) => kernel.copyRange(from, to, position - 1, count)
    expect(failedCall(changed({ ...whole, copyRange: shifted }), process.execPath)).toBe('copy_file_range')
    expect(failedCall(changed({ ...whole, openCached: () => openSync('/', 'r') }), process.execPath)).toBe('openat2')
    expect(failedCall(changed({ ...whole, openCached: () => undefined }), process.execPath)).toBeUndefined()
    expect(failedCall(changed({ ...whole, renameNew: () => {} }), process.execPath)).toBe('renameat2')
    expect(failedCall(changed({ ...whole, link: () => {} }), process.execPath)).toBe('linkat')
    expect(failedCall(changed({ ...whole, duplicate: () => openSync('/', 'r') }), process.execPath)).toBe('fcntl')
  })
})
