import { type FilePath, joinPath } from '../../shared/path.ts'
import { guardedStore, type Policy, readingPolicy } from './policy.ts'
import type { ScopeContext } from './transfer.ts'

/** The context of a view of one file: every other path is denied. */
export function fileContext({ store, policy, whole }: ScopeContext, path: FilePath): ScopeContext {
  return { store, policy: readingPolicy(policy, other => other === path && policy.sees(path)), whole }
}

/** The context of a view of a folder: paths are relative to it. @throws not_found, not_a_folder, forbidden */
export async function folderContext(context: ScopeContext, path: FilePath): Promise<ScopeContext> {
  const { store, policy, whole, index } = context
  const outer = (inner: FilePath) => joinPath(path, inner)
  const may: Policy['may'] = (effect, inner) => policy.may(effect, outer(inner))
  const reading = readingPolicy({ may }, inner => policy.sees(outer(inner)))
  return {
    store: await guardedStore(store, path, reading),
    policy: reading,
    whole: async () => (await whole()).within(path),
    index,
  }
}
