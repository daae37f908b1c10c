import type { Resource, ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf, ROOT, trustedChild } from '../../../../shared/path.ts'
import { DEFAULT_SORTING, sortItems } from '../../../../shared/sorting.ts'

/** An expanded folder. */
export interface Branch {
  /** Its folders; `undefined` while they load. */
  folders: readonly ResourceItem[] | undefined
  failed: boolean
}

/** A row of the tree. */
export interface TreeNode {
  path: FilePath
  name: string
  /** From 1. */
  level: number
  /** Position among its siblings, from 1, and their number. */
  position: number
  siblings: number
  /** `leaf` holds no folders, as far as loaded. */
  state: 'closed' | 'loading' | 'open' | 'leaf' | 'failed'
}

/** The folders of a listing, in natural order. */
export const foldersIn = (resource: Resource): ResourceItem[] => foldersAmong('items' in resource ? resource.items : [])

/** The folders among items, in natural order. */
export const foldersAmong = (items: readonly ResourceItem[]): ResourceItem[] =>
  sortItems(
    items.filter(item => item.isDir),
    DEFAULT_SORTING,
  )

/**
 * The visible rows from the top: every folder whose ancestors are all expanded.
 * @param rootName of the top folder; without one, its folders are the first level
 */
export function visibleNodes(branches: ReadonlyMap<FilePath, Branch>, rootName?: string): TreeNode[] {
  const nodes: TreeNode[] = []
  const add = (path: FilePath, level: number, position: number, siblings: number) => {
    const branch = branches.get(path)
    if (level > 0)
      nodes.push({ path, name: nameOf(path) || (rootName ?? ''), level, position, siblings, state: stateOf(branch) })
    const folders = branch?.folders ?? []
    for (const [index, folder] of folders.entries()) {
      add(trustedChild(path, folder.name), level + 1, index + 1, folders.length)
    }
  }
  add(ROOT, rootName === undefined ? 0 : 1, 1, 1)
  return nodes
}

function stateOf(branch: Branch | undefined): TreeNode['state'] {
  if (!branch) return 'closed'
  if (branch.failed) return 'failed'
  if (!branch.folders) return 'loading'
  return branch.folders.length > 0 ? 'open' : 'leaf'
}

/** A folder and its ancestors, outermost first. */
export function wayTo(path: FilePath): FilePath[] {
  return path === ROOT ? [ROOT] : [...wayTo(parentOf(path)), path]
}

/** The effect of a key in the tree: move to a row, expand or collapse one, or none. */
export type TreeReaction = { go: number } | { open: FilePath } | { close: FilePath } | undefined

/**
 * The keyboard handling of a tree (APG, tree view). @param at row of the current folder
 * @param forward the inward arrow key: right in a left-to-right text, left in a right-to-left one
 */
export function reactToTreeKey(key: string, nodes: readonly TreeNode[], at: number, forward: string): TreeReaction {
  const node = nodes[at]
  if (!node) return undefined
  const isOpen = node.state !== 'closed'
  if (key === ' ') return isOpen ? { close: node.path } : { open: node.path }
  if (key === forward && !isOpen) return { open: node.path }
  if (key === forward) return node.state === 'open' ? { go: at + 1 } : undefined
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    if (isOpen && node.state !== 'leaf') return { close: node.path }
    const parent = nodes.findLastIndex((other, index) => index < at && other.level < node.level)
    return parent < 0 ? undefined : { go: parent }
  }
  return goTo(key, at, nodes.length - 1)
}

function goTo(key: string, at: number, last: number): TreeReaction {
  if (key === 'ArrowDown') return { go: Math.min(last, at + 1) }
  if (key === 'ArrowUp') return { go: Math.max(0, at - 1) }
  if (key === 'Home') return { go: 0 }
  return key === 'End' ? { go: last } : undefined
}
