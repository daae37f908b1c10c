import { type FilePath, joinPath } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import { AppError } from '../errors.ts'
import type { Policy } from './policy.ts'
import type { TransferGround } from './transfer.ts'

type Ground = Omit<TransferGround, 'again' | 'replaced' | 'choose'>

const READING: ReadonlySet<Effect> = new Set(['list', 'read'])

/** A policy that allows no more than to look and to read, of what `sees` lets be seen. */
export function readingPolicy(policy: Policy, sees: Policy['sees']): Policy {
  const may = (effect: Effect) => READING.has(effect) && policy.may(effect)
  const reading: Policy = {
    demand(effect) {
      if (!may(effect)) throw new AppError('forbidden')
    },
    may,
    sees,
    carrying: () => reading,
    deniedPlaces: () => undefined,
    restricts: true,
  }
  return reading
}

/** What a view of one file may use: everything but that path is denied. */
export function fileGround({ store, policy, whole }: Ground, path: FilePath): Ground {
  return { store, policy: readingPolicy(policy, other => other === path && policy.sees(path)), whole }
}

/** What a view of a folder may use: paths are relative to it. @throws not_found, not_a_folder, forbidden */
export async function folderGround({ store, policy, whole }: Ground, path: FilePath): Promise<Ground> {
  const reading = readingPolicy(policy, inner => policy.sees(joinPath(path, inner)))
  return {
    store: await store.within(path, reading.sees),
    policy: reading,
    whole: async () => (await whole()).within(path),
  }
}
