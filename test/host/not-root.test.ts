import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { person } from '../wire/client.ts'
import { EXECUTABLE, makeHome } from '../wire/harness.ts'
import { serve } from '../wire/instance.ts'
import { unpack } from '../wire/unpack.ts'

/** Somebody without any rights of their own. */
const NOBODY = 65_534
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
const [program = '', ...options] = AS_NOBODY
const canBeNobody =
  process.getuid?.() === 0 && spawnSync(program, [...options, process.execPath, EXECUTABLE, 'version']).status === 0

describe.runIf(canBeNobody)('a server that is not run by root', async () => {
  const home = await makeHome()
  const root = join(home, 'srv')
  for (const folder of [home, root]) await chown(folder, NOBODY, NOBODY)
  const server = await serve({ home, env: { HOME: home }, shell: `exec ${AS_NOBODY.join(' ')} "$@"` })
  const owner = await person(server)

  test('CRASH-14 says so when a file may be written and its folder may not, and keeps the file', async () => {
    const folder = join(root, 'closed')
    await mkdir(folder)
    await writeFile(join(folder, 'a.txt'), 'old')
    await chmod(join(folder, 'a.txt'), 0o666)
    await chmod(folder, 0o555)
    for (const saved of [
      await owner.put('/closed/a.txt', 'new', '?override=true'),
      await owner.put('/closed/b', 'b'),
    ]) {
      expect([saved.status, saved.headers.get('x-error-code')]).toEqual([403, 'forbidden'])
    }
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('old')
    expect(await readdir(folder)).toEqual(['a.txt'])
  })

  test('DIR-07 packs what it may read, and names in the archive what it may not', async () => {
    await mkdir(join(root, 'mixed/secret'), { recursive: true })
    await writeFile(join(root, 'mixed/open.txt'), 'open')
    await writeFile(join(root, 'mixed/closed.txt'), 'closed')
    await chmod(join(root, 'mixed/secret'), 0o700)
    await chmod(join(root, 'mixed/closed.txt'), 0o600)
    const content = await unpack((await owner.raw('/mixed')).bytes, '.zip')
    expect(content['open.txt']).toBe('open')
    expect(Object.values(content)).not.toContain('closed')
    for (const name of ['/mixed/secret', '/mixed/closed.txt']) expect(content['_errors.txt']).toContain(name)
  })
})
