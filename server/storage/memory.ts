import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  type FilePath,
  isWithin,
  joinPath,
  nameOf,
  parentOf,
  ROOT,
  segmentsOf,
  trustedChild,
} from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type {
  Entry,
  KeptThings,
  OpenFile,
  PathGuard,
  PublishOptions,
  RemoveOptions,
  ResumableFile,
  StorageDriver,
} from './driver.ts'
import { ask, innerGuard } from './guard.ts'
import { keepVersion, type MemoryArea, memoryArea, memoryKept } from './memory/kept.ts'
import {
  type MemoryFile,
  type MemoryFolder,
  type MemoryNode,
  memoryFile,
  memoryFolder,
  pathOf,
  place as put,
  type Step,
  walk,
} from './memory/tree.ts'
import { demandStill } from './same-object.ts'
import { demandVersion } from './write-file.ts'

const BATCH = 2000
const CHUNK = 256 * 1024
const DIR_MODE = 0o750

/** The root of a driver: the steps from the top of the tree to it, both included. */
interface MemoryScope {
  root: readonly Step[]
  guard: PathGuard | undefined
  /** Staged files, shared by all stores of the same tree. */
  staged: Map<string, ResumableFile>
  /** Deleted things, as above. */
  area: MemoryArea
  /** The number of steps to the served root. */
  depth: number
}

interface Place {
  node: Step['node']
  canonical: FilePath
  rest: readonly string[]
}

/** A directory entry and its folder, links not followed. */
interface Item {
  folder: MemoryFolder
  name: string
  node: MemoryNode
  canonical: FilePath
}

/**
 * A store in memory, for tests and for data that may be lost.
 * @param tree where files are kept; if given, it can be inspected and prepared from outside, links included
 * @param root the folder of the tree that is the store's root
 */
export function openMemory(tree: MemoryFolder = memoryFolder(), root: FilePath = ROOT): StorageDriver {
  const { steps, rest } = walk([{ name: '', node: tree }], segmentsOf(root))
  if (rest.length > 0) throw new AppError('not_found')
  return driverOf({ root: steps, guard: undefined, staged: new Map(), area: memoryArea(), depth: steps.length })
}

function driverOf(scope: MemoryScope): StorageDriver {
  return {
    stat: async path => statPath(scope, path),
    list: folder => listFolder(scope, folder),
    read: async file => openRead(scope, file),
    stage: async file => stageFile(scope, file),
    resumable: {
      async stage(file) {
        const staged = stageFile(scope, file)
        scope.staged.set(staged.name, staged)
        return staged
      },
      async resume(name, size) {
        const staged = scope.staged.get(name)
        if (!staged) throw new AppError('not_found')
        await staged.truncate(size)
        return staged
      },
      discard: async name => void scope.staged.delete(name),
    },
    mkdir: async folder => void makeFolder(scope, folder),
    async remove(path, how) {
      removePath(scope, path, how?.exactly)
      how?.removed?.(1)
    },
    move: async (from, to, { over } = {}) => (over ? moveOver(scope, from, to, over) : movePath(scope, from, to)),
    within: async (folder, guard) => storeIn(scope, folder, guard),
    placeInRoot: canonical => joinPath(pathOf(scope.root, scope.depth), canonical),
    kept: keptIn(scope),
  }
}

/** @throws outside_scope, forbidden */
function locate({ root, guard }: MemoryScope, path: FilePath): Place {
  const { steps, rest, broken } = walk(root, segmentsOf(path))
  const last = steps.at(-1)
  if (!last || broken || steps[root.length - 1]?.node !== root.at(-1)?.node) throw new AppError('outside_scope')
  const canonical = pathOf(steps, root.length)
  ask(guard, rest.reduce(trustedChild, canonical))
  return { node: last.node, canonical, rest }
}

/** @throws not_found, not_a_folder */
function locateFolder(scope: MemoryScope, path: FilePath): Place & { node: MemoryFolder } {
  const { node, canonical, rest } = locate(scope, path)
  if (rest.length > 0) throw new AppError('not_found')
  if (node.kind !== 'folder') throw new AppError('not_a_folder')
  return { node, canonical, rest }
}

/** @throws not_found */
function locateItem(scope: MemoryScope, path: FilePath): Item {
  const parent = locate(scope, parentOf(path))
  if (parent.rest.length > 0 || parent.node.kind !== 'folder') throw new AppError('not_found')
  const canonical = trustedChild(parent.canonical, nameOf(path))
  ask(scope.guard, canonical)
  const node = parent.node.children.get(nameOf(path))
  if (!node) throw new AppError('not_found')
  return { folder: parent.node, name: nameOf(path), node, canonical }
}

function statPath(scope: MemoryScope, path: FilePath): Entry | undefined {
  try {
    const { node, canonical, rest } = locate(scope, path)
    if (rest.length > 0) return undefined
    return entryOf(path, canonical, node, path !== ROOT && isLinkAt(scope, path))
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code !== 'outside_scope' || path === ROOT) throw thrown
    return linkAsItem(scope, path, thrown)
  }
}

function isLinkAt(scope: MemoryScope, path: FilePath): boolean {
  // The path itself was allowed before.
  const { node, rest } = locate({ ...scope, guard: undefined }, parentOf(path))
  return rest.length === 0 && node.kind === 'folder' && node.children.get(nameOf(path))?.kind === 'link'
}

function linkAsItem(scope: MemoryScope, path: FilePath, refusal: AppError): Entry | undefined {
  const parent = locate(scope, parentOf(path))
  const node = parent.node.kind === 'folder' ? parent.node.children.get(nameOf(path)) : undefined
  if (parent.rest.length > 0 || !node) return undefined
  if (node.kind !== 'link') throw refusal
  const canonical = trustedChild(parent.canonical, nameOf(path))
  ask(scope.guard, canonical)
  return entryOf(path, canonical, node, true)
}

async function* listFolder(scope: MemoryScope, path: FilePath): AsyncGenerator<Entry[]> {
  const names = [...locateFolder(scope, path).node.children.keys()]
  for (let start = 0; start < names.length; start += BATCH) {
    const batch = names.slice(start, start + BATCH).map(name => visible(scope, trustedChild(path, name)))
    yield batch.filter(entry => entry !== undefined)
  }
}

/** What `stat` would refuse is left out of a listing. */
function visible(scope: MemoryScope, path: FilePath): Entry | undefined {
  try {
    return statPath(scope, path)
  } catch {
    return undefined
  }
}

function openRead(scope: MemoryScope, path: FilePath): OpenFile {
  const { node, canonical, rest } = locate(scope, path)
  if (rest.length > 0) throw new AppError('not_found')
  const { data } = demandFile(node)
  const entry = entryOf(path, canonical, node, path !== ROOT && isLinkAt(scope, path))
  return {
    entry,
    stream: (range = { start: 0, end: data.length - 1 }) =>
      Readable.from(piecesOf(data.subarray(range.start, range.end + 1)), { objectMode: false }),
    close: async () => {},
  }
}

function* piecesOf(data: Buffer): Generator<Buffer> {
  for (let start = 0; start < data.length; start += CHUNK) yield data.subarray(start, start + CHUNK)
}

function demandFile(node: Step['node']) {
  if (node.kind === 'folder') throw new AppError('is_a_folder')
  return node
}

/** A file in memory has no bytes that a power cut takes alone. */
function stageFile(scope: MemoryScope, path: FilePath): ResumableFile {
  demandPlace(scope, path)
  const name = randomUUID()
  let data = Buffer.alloc(0)
  return {
    name,
    get size() {
      return data.length
    },
    get durable() {
      return data.length
    },
    async append(chunk) {
      data = Buffer.concat([data, chunk])
    },
    async flush() {},
    async truncate(size) {
      data = data.subarray(0, size)
    },
    async *read() {
      yield data
    },
    async publish(file, how) {
      const made = memoryFile(data, how.mode, how.modified)
      await keepReplaced(scope, file, made, how)
      const entry = publishFile(scope, file, made, how)
      scope.staged.delete(name)
      return entry
    },
    async close() {},
  }
}

/** The file that a write would replace. @throws is_a_folder, not_a_folder */
function demandPlace(scope: MemoryScope, path: FilePath): MemoryNode | undefined {
  const { node, rest } = locate(scope, path)
  if (rest.length > 0 && node.kind !== 'folder') throw new AppError('not_a_folder')
  return rest.length > 0 ? undefined : demandFile(node)
}

/** Keeps the file at a path that is about to be replaced; another one that takes its place meanwhile is kept, too. */
async function keepReplaced(scope: MemoryScope, path: FilePath, made: MemoryFile, how: PublishOptions): Promise<void> {
  for (;;) {
    const standing = how.keep && demandPlace(scope, path)
    if (!how.keep || !standing || how.ifAbsent) return
    demandVersion(versionOf(standing), how)
    const { canonical } = locate(scope, path)
    const [at, undo] = keepVersion(scope.area, how.keep.id, standing)
    const was = entryOf(canonical, canonical, standing, false)
    const place = joinPath(pathOf(scope.root, scope.depth), canonical)
    try {
      await how.keep.kept({ at, was, place, identity: was.identity, made: made.id.toString(36) })
    } catch (thrown) {
      undo()
      throw thrown
    }
    if (demandPlace(scope, path) === standing) return
    undo()
  }
}

function publishFile(scope: MemoryScope, path: FilePath, made: MemoryFile, how: PublishOptions): Entry {
  if (how.length !== undefined && how.length !== made.data.length) throw new AppError('incomplete_body')
  const standing = demandPlace(scope, path)
  demandVersion(standing && versionOf(standing), how)
  const { canonical, rest } = locate(scope, path)
  const goal = rest.reduce(trustedChild, canonical)
  const folder = makeFolder(scope, parentOf(goal))
  if (standing) made.mode = standing.mode
  put(folder, nameOf(goal), made)
  return openRead(scope, path).entry
}

function makeFolder(scope: MemoryScope, path: FilePath): MemoryFolder {
  let { node, canonical, rest } = locate(scope, path)
  if (node.kind !== 'folder') throw new AppError(rest.length > 0 ? 'not_a_folder' : 'exists')
  for (const [index] of rest.entries()) ask(scope.guard, rest.slice(0, index + 1).reduce(trustedChild, canonical))
  for (const name of rest) {
    const child = memoryFolder()
    child.mode = DIR_MODE
    put(node, name, child)
    node = child
    canonical = trustedChild(canonical, name)
  }
  return node
}

function removePath(scope: MemoryScope, path: FilePath, known: RemoveOptions['exactly']): void {
  if (path === ROOT) throw new AppError('forbidden')
  const { folder, name, node, canonical } = locateItem(scope, path)
  if (known) demandStill(entryOf(path, canonical, node, false), known)
  if (known && node.kind === 'folder' && node.children.size > 0) throw new AppError('unavailable')
  askTree(scope.guard, node, canonical)
  put(folder, name, undefined)
}

function askTree(guard: PathGuard | undefined, node: MemoryNode, path: FilePath): void {
  ask(guard, path)
  if (node.kind !== 'folder') return
  for (const [name, child] of node.children) askTree(guard, child, trustedChild(path, name))
}

function movePath(scope: MemoryScope, from: FilePath, to: FilePath): void {
  if (from === ROOT) throw new AppError('forbidden')
  if (to === ROOT) throw new AppError('exists')
  const source = locateItem(scope, from)
  const goal = locateFolder(scope, parentOf(to))
  const canonical = trustedChild(goal.canonical, nameOf(to))
  ask(scope.guard, canonical)
  if (goal.node.children.has(nameOf(to))) throw new AppError('exists')
  if (isWithin(canonical, source.canonical)) throw new AppError('bad_request')
  askTree(scope.guard, source.node, source.canonical)
  askTree(scope.guard, source.node, canonical)
  put(goal.node, nameOf(to), source.node)
  put(source.folder, source.name, undefined)
}

async function moveOver(scope: MemoryScope, from: FilePath, to: FilePath, over: PublishOptions): Promise<void> {
  const { folder, name, node } = locateItem(scope, from)
  const { children } = locateFolder(scope, parentOf(to)).node
  const there = children.get(nameOf(to))
  if (!there) return movePath(scope, from, to)
  if (node.kind !== 'file' || there.kind !== 'file' || node === there) throw new AppError('exists')
  demandVersion(versionOf(there), over)
  await keepReplaced(scope, to, node, over)
  ask(scope.guard, locate(scope, to).canonical)
  put(locateFolder(scope, parentOf(to)).node, nameOf(to), node)
  if (folder.children.get(name) === node) put(folder, name, undefined)
}

function keptIn(scope: MemoryScope): KeptThings {
  const base = pathOf(scope.root, scope.depth)
  return memoryKept(scope.area, {
    take(path) {
      if (path === ROOT) throw new AppError('forbidden')
      const { folder, name, node, canonical } = locateItem(scope, path)
      askTree(scope.guard, node, canonical)
      const entry = entryOf(path, canonical, node, node.kind === 'link')
      return { node, entry, place: joinPath(base, canonical), detach: () => put(folder, name, undefined) }
    },
    give(node, to, as) {
      if (to === ROOT) throw new AppError('exists')
      const goal = locateFolder(scope, parentOf(to))
      if (goal.node.children.has(nameOf(to))) throw new AppError('exists')
      askTree(scope.guard, node, as)
      askTree(scope.guard, node, trustedChild(goal.canonical, nameOf(to)))
      put(goal.node, nameOf(to), node)
    },
    describe: (path, node) => entryOf(path, path, node, node.kind === 'link'),
    open: (node, guard) => driverOf({ ...scope, root: [{ name: '', node }], guard, depth: 1 }),
  })
}

function storeIn(scope: MemoryScope, path: FilePath, guard: PathGuard | undefined): StorageDriver {
  const { canonical } = locateFolder(scope, path)
  const { steps } = walk(scope.root, segmentsOf(canonical))
  return driverOf({ ...scope, root: steps, guard: innerGuard(scope.guard, canonical, guard) })
}

function entryOf(path: FilePath, canonical: FilePath, node: MemoryNode, isLink: boolean): Entry {
  const size = node.kind === 'file' ? node.data.length : 0
  const { kind, modified, mode } = node
  const identity = node.id.toString(36)
  return { name: nameOf(path), path, canonical, kind, isLink, size, modified, mode, version: versionOf(node), identity }
}

function versionOf(node: MemoryNode): string {
  return node.version.toString(36)
}
