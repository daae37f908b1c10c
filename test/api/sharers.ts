import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOOD_PASSWORD, type Manager, newcomer, perm } from './accounts.ts'
import { person } from './client.ts'
import { type Instance, uniqueName } from './harness.ts'
import { OUTSIDE_MARKER } from './tree.ts'

export const SHARER_RIGHTS = ['create', 'delete', 'rename', 'modify', 'share', 'download'] as const

/** A user with a folder of their own, files to share in it, and a marker next to them that must stay hidden. */
export async function newSharer(server: Instance, admin: Manager, fields: Record<string, unknown> = {}) {
  const scope = `/${uniqueName('home')}`
  const home = join(server.root, scope)
  for (const name of ['docs/sub', 'docs/deny', 'docs-2']) await mkdir(join(home, name), { recursive: true })
  for (const name of ['a.txt', 'docs/one.txt', 'docs/sub/two.txt', 'docs-2/x.txt'])
    await writeFile(join(home, name), name)
  await writeFile(join(home, 'marker.txt'), OUTSIDE_MARKER)
  await writeFile(join(home, 'docs/deny/d.txt'), OUTSIDE_MARKER)
  await writeFile(join(home, 'docs/.dot'), 'dot')
  const sharer = await newcomer(server, admin, { scope, perm: perm(...SHARER_RIGHTS), ...fields })
  return { ...sharer, scope, home, files: await person(server, sharer.name, GOOD_PASSWORD) }
}
