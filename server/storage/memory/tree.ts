import { type FilePath, ROOT, trustedChild } from '../../../shared/path.ts'

interface NodeBase {
  /** Milliseconds since the epoch. */
  modified: number
  mode: number
  version: number
  /** Unique, never reused. */
  id: number
}

export interface MemoryFile extends NodeBase {
  kind: 'file'
  /** Never changed in place: a reader keeps what it opened. */
  data: Buffer
}

export interface MemoryFolder extends NodeBase {
  kind: 'folder'
  children: Map<string, MemoryNode>
}

export interface MemoryLink extends NodeBase {
  kind: 'link'
  /** As on disk: relative to the link's folder, or from the top of the tree. */
  target: string
}

export type MemoryNode = MemoryFile | MemoryFolder | MemoryLink

/** A node on the way from the top of the tree, with the name by which it was found. */
export interface Step {
  name: string
  node: Exclude<MemoryNode, MemoryLink>
}

/** How far a path leads: the nodes on the way, and the missing names. */
export interface Walk {
  steps: readonly Step[]
  rest: readonly string[]
  /** The first missing name is a dangling or circular link. */
  broken: boolean
}

/** Maximum number of nested links, as in Linux. */
const MAX_LINKS = 40

let lastVersion = 0
let lastId = 0

export function memoryFile(data: Buffer | string, mode = 0o640, modified = Date.now()): MemoryFile {
  return { kind: 'file', data: Buffer.from(data), mode, modified, version: ++lastVersion, id: ++lastId }
}

export function memoryFolder(children: Record<string, MemoryNode> = {}): MemoryFolder {
  const map = new Map(Object.entries(children))
  return { kind: 'folder', children: map, mode: 0o750, modified: Date.now(), version: ++lastVersion, id: ++lastId }
}

export function memoryLink(target: string): MemoryLink {
  return { kind: 'link', target, mode: 0o777, modified: Date.now(), version: ++lastVersion, id: ++lastId }
}

/** Puts a node in a folder (`undefined` removes it), which changes the folder as well. */
export function place(folder: MemoryFolder, name: string, node: MemoryNode | undefined): void {
  if (node) folder.children.set(name, node)
  else folder.children.delete(name)
  folder.modified = Date.now()
  folder.version = ++lastVersion
}

/** Follows names and links from the end of `from`. */
export function walk(from: readonly Step[], names: readonly string[], links = MAX_LINKS): Walk {
  let steps = from
  for (const [index, name] of names.entries()) {
    const here = steps.at(-1)?.node
    if (name === '..') {
      steps = steps.length > 1 ? steps.slice(0, -1) : steps
      continue
    }
    const node = here?.kind === 'folder' ? here.children.get(name) : undefined
    if (!node) return { steps, rest: names.slice(index), broken: false }
    if (node.kind !== 'link') {
      steps = [...steps, { name, node }]
      continue
    }
    const target = links > 0 ? followLink(steps, node, links) : undefined
    if (!target || target.rest.length > 0) return { steps, rest: names.slice(index), broken: true }
    steps = target.steps
  }
  return { steps, rest: [], broken: false }
}

function followLink(steps: readonly Step[], { target }: MemoryLink, links: number): Walk {
  const names = target.split('/').filter(name => name !== '' && name !== '.')
  return walk(target.startsWith('/') ? steps.slice(0, 1) : steps, names, links - 1)
}

/** The path of the last step below the first `skip` ones. */
export function pathOf(steps: readonly Step[], skip: number): FilePath {
  return steps.slice(skip).reduce((path, step) => trustedChild(path, step.name), ROOT)
}
