import { describe, expect, it } from 'vitest'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, parsePath, ROOT } from '../../../../shared/path.ts'
import { type Branch, reactToTreeKey, visibleNodes, wayTo } from './tree-nodes.ts'

const folder = (name: string) => ({ name, isDir: true }) as ResourceItem
const opened = (...names: string[]): Branch => ({ folders: names.map(folder), failed: false })
const branches = new Map<FilePath, Branch>([
  [ROOT, opened('a', 'b')],
  [parsePath('/a'), opened('inner')],
  [parsePath('/a/inner'), opened()],
])
const nodes = visibleNodes(branches, 'My files')
const at = (path: string) => nodes.findIndex(node => node.path === path)

describe('the tree of folders', () => {
  it('shows expanded folders, with levels and positions', () => {
    expect(nodes.map(({ path, level, position, siblings, state }) => [path, level, position, siblings, state])).toEqual(
      [
        ['/', 1, 1, 1, 'open'],
        ['/a', 2, 1, 2, 'open'],
        ['/a/inner', 3, 1, 1, 'leaf'],
        ['/b', 2, 2, 2, 'closed'],
      ],
    )
  })

  it('has no row for a top folder without a name', () => {
    const rows = visibleNodes(branches).map(({ path, level, siblings }) => [path, level, siblings])
    expect(rows).toEqual([
      ['/a', 1, 2],
      ['/a/inner', 2, 1],
      ['/b', 1, 2],
    ])
  })

  it('expands and enters with the inward arrow, collapses and leaves with the other', () => {
    expect(reactToTreeKey('ArrowRight', nodes, at('/b'), 'ArrowRight')).toEqual({ open: '/b' })
    expect(reactToTreeKey('ArrowRight', nodes, at('/a'), 'ArrowRight')).toEqual({ go: at('/a/inner') })
    expect(reactToTreeKey('ArrowLeft', nodes, at('/a'), 'ArrowRight')).toEqual({ close: '/a' })
    expect(reactToTreeKey('ArrowLeft', nodes, at('/a/inner'), 'ArrowRight')).toEqual({ go: at('/a') })
    expect(reactToTreeKey('ArrowLeft', nodes, at('/b'), 'ArrowLeft')).toEqual({ open: '/b' })
  })

  it('moves between rows, and stops at both ends', () => {
    expect(reactToTreeKey('ArrowDown', nodes, 3, 'ArrowRight')).toEqual({ go: 3 })
    expect(reactToTreeKey('ArrowUp', nodes, 0, 'ArrowRight')).toEqual({ go: 0 })
    expect(reactToTreeKey('End', nodes, 0, 'ArrowRight')).toEqual({ go: 3 })
    expect(reactToTreeKey('Enter', nodes, 0, 'ArrowRight')).toBeUndefined()
  })

  it('returns the ancestors of a folder', () => {
    expect(wayTo(parsePath('/a/inner'))).toEqual(['/', '/a', '/a/inner'])
  })
})
