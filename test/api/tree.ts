import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { inBucket } from './bucket.ts'

/** A marker outside every scope, which must never be read. */
export const OUTSIDE_MARKER = 'OUTSIDE-7f3a'
/** A marker that a rule denies, which must never be read by that user. */
export const DENIED_MARKER = 'DENIED-91cc'

/** A folder tree with everything that an operator may have left in it. */
export interface Planted {
  /** The scope. */
  inside: string
  /** Next to the scope. */
  outside: string
}

/** Creates the tree: plain files, a folder that rules may deny, links in every direction. */
export async function plant(home: string, scope: string): Promise<Planted> {
  const outside = join(home, 'outside')
  const at = (name: string) => join(scope, name)
  await mkdir(outside, { recursive: true })
  await writeFile(join(outside, 'marker.txt'), OUTSIDE_MARKER)
  for (const folder of ['docs/private', 'docs-2', 'deny', 'free']) await mkdir(at(folder), { recursive: true })
  await writeFile(at('a.txt'), 'alpha')
  await writeFile(at('docs/one.txt'), 'one')
  await writeFile(at('docs/private/p.txt'), 'p')
  await writeFile(at('docs-2/x.txt'), 'x')
  await writeFile(at('deny/secret.txt'), DENIED_MARKER)
  await writeFile(at('.hidden'), 'hidden')
  // Not supported in a bucket.
  if (inBucket) return { inside: scope, outside }
  await symlink(outside, at('out'))
  await symlink(join(outside, 'marker.txt'), at('outfile'))
  await symlink(join(outside, 'new.txt'), at('dangling'))
  await symlink('loop', at('loop'))
  await symlink('deny/secret.txt', at('inlink'))
  await symlink('deny', at('indir'))
  await symlink('../docs/one.txt', at('free/one-link.txt'))
  await symlink('docs', at('docs-link'))
  return { inside: scope, outside }
}

export const makePipe = (path: string): Buffer => execFileSync('mkfifo', [path])

/** A Unix socket that exists until the returned server is closed. */
export const makeSocket = (path: string): Promise<Server> =>
  new Promise(resolve => {
    const server = createServer().listen(path, () => resolve(server))
  })

/** No byte of a response, headers included, may hold foreign content or a path of the host. */
export function expectNoLeak(
  answer: { headers: Headers | Record<string, string>; bytes: Buffer },
  ...hidden: string[]
) {
  const pairs = answer.headers instanceof Headers ? Object.fromEntries(answer.headers) : answer.headers
  const everything = `${JSON.stringify(pairs)}\n${answer.bytes.toString('latin1')}`
  for (const text of [OUTSIDE_MARKER, ...hidden]) expect(everything).not.toContain(text)
}
