import { type FilePath, segmentsOf } from '../../shared/path.ts'

interface Node<T> {
  value?: T
  children: Map<string, Node<T>>
}

/** Values of some folders, which move with them. */
export class FolderTree<T> {
  readonly #root: Node<T> = { children: new Map() }
  readonly #detached = new Map<string, Node<T>>()

  set(folder: FilePath, value: T): void {
    this.#put(folder, { value, children: new Map() })
  }

  /** The value of the deepest folder above a path that has one. */
  above(path: FilePath): T | undefined {
    let node: Node<T> | undefined = this.#root
    let value: T | undefined
    for (const name of segmentsOf(path).slice(0, -1)) {
      node = node.children.get(name)
      if (!node) break
      value = node.value ?? value
    }
    return value
  }

  /** @param value what the folder gets unless it has one */
  move(from: FilePath, to: FilePath, value: T): void {
    const node: Node<T> = this.#take(from) ?? { children: new Map() }
    node.value ??= value
    this.#put(to, node)
  }

  /** Takes a folder out of its place, for `attach`. @returns its value */
  detach(folder: FilePath, key: string): T | undefined {
    const node = this.#take(folder)
    if (node) this.#detached.set(key, node)
    return node?.value
  }

  /** @param value what the folder gets unless it has one @returns its value */
  attach(folder: FilePath, key: string, value: T): T {
    const node: Node<T> = this.#detached.get(key) ?? { children: new Map() }
    this.#detached.delete(key)
    node.value ??= value
    this.#put(folder, node)
    return node.value
  }

  #take(path: FilePath): Node<T> | undefined {
    const { parent, name } = this.#parentOf(path, false)
    const node = parent?.children.get(name)
    parent?.children.delete(name)
    return node
  }

  #put(path: FilePath, node: Node<T>): void {
    const { parent, name } = this.#parentOf(path, true)
    parent?.children.set(name, node)
  }

  #parentOf(path: FilePath, isMade: boolean): { parent: Node<T> | undefined; name: string } {
    const names = segmentsOf(path)
    const name = names.pop() ?? ''
    let node: Node<T> | undefined = this.#root
    for (const each of names) {
      let child: Node<T> | undefined = node?.children.get(each)
      if (!child && isMade && node) {
        child = { children: new Map() }
        node.children.set(each, child)
      }
      node = child
    }
    return { parent: node, name }
  }
}
