import { join } from 'node:path'
import type { FilePath } from '../../../shared/path.ts'
import type { NamesMet } from '../driver.ts'
import { entriesIn, type HitBatch } from '../found-names.ts'
import { scanTree } from './folder-reader.ts'
import { silentAmong } from './list.ts'
import { mountsBelow } from './mounts.ts'
import { locateFolder, type Scope } from './resolve-path.ts'
import { statPath } from './stat.ts'

/** Finds names below a folder by reading each folder's list of them; see the driver contract. */
export async function* scanBelow(scope: Scope, path: FilePath, words: readonly string[]): AsyncGenerator<NamesMet> {
  const { handle, canonical } = await locateFolder(scope, path)
  handle.close()
  const { real } = handle
  const { level, stagingKey } = scope
  const silent = await silentAmong(level, real, mountsBelow(real))
  const tree = { real, level, stagingKey, words, silent: silent.map(name => join(real, name)) }
  let met = 0
  const found = counting(scanTree(tree), count => {
    met = count
  })
  // What a link is depends on the scope, so each one is resolved; links are few.
  const linkAt = (link: FilePath) => statPath(scope, link).catch(() => undefined)
  for await (const entries of entriesIn(found, { path, canonical, guard: scope.guard, linkAt })) yield { met, entries }
}

async function* counting(
  batches: AsyncIterable<{ found: HitBatch; met: number }>,
  report: (met: number) => void,
): AsyncGenerator<HitBatch> {
  for await (const { found, met } of batches) {
    report(met)
    yield found
  }
}
