import type { Plugin } from 'vite'

const CORE = /\/@tanstack\/query-core\/build\/\w+\//

/**
 * Modules of the query library that the application never uses, but that the library's client imports: the cache of
 * mutations, which stays empty, and lists in pages. What replaces them does as much as an empty one.
 */
const REPLACEMENTS: readonly [RegExp, string][] = [
  [
    /\/mutationCache\.js$/,
    `export class MutationCache {
      clear() {}
      getAll() { return [] }
      findAll() { return [] }
      resumePausedMutations() { return Promise.resolve() }
    }`,
  ],
  [
    /\/infiniteQueryBehavior\.js$/,
    `const none = () => { throw new Error('lists in pages are not built in') }
    export { none as hasNextPage, none as hasPreviousPage, none as infiniteQueryBehavior }`,
  ],
]

/** Leaves unused parts of libraries out of the build, which would be loaded with the first page. */
export function unusedPartsPlugin(): Plugin {
  return {
    name: 'filigree:unused-parts',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      const [, code] = (CORE.test(id) && REPLACEMENTS.find(([name]) => name.test(id))) || []
      return code === undefined ? null : { code, moduleType: 'js', map: null }
    },
  }
}
