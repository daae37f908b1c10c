import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import type { VerifiedFile } from '../../shared/api/manifests.ts'
import { call, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { EVERYTHING, enrol, PASSWORD, whole } from './people.ts'

const wire = await openInstance()
const admin = await person(wire)
await enrol(wire, [
  { name: 'manifest-ruled', may: EVERYTHING, rules: [whole({ regex: true, regexp: { raw: '/secret(/|$)' } })] },
  { name: 'manifest-blind', may: ['create'] },
])

/** A folder with names that need escapes, and one that is not UTF-8. */
async function tree() {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'sub', 'empty'), { recursive: true })
  await writeFile(join(disk, 'a.txt'), 'alpha')
  await writeFile(join(disk, 'sub', 'line\nbreak \\ back.txt'), 'beta')
  await writeFile(join(disk, 'none'), '')
  await writeFile(Buffer.concat([Buffer.from(`${disk}/sub/`), Buffer.from([0xe9]), Buffer.from('.txt')]), 'latin')
  await symlink('a.txt', join(disk, 'link'))
  return { path, disk }
}

const manifestOf = (path: string) => call(wire, `/api/manifest${path}`, { token: admin.token })

async function verify(path: string, token = admin.token) {
  const answer = await call(wire, `/api/verify${path}`, { token })
  const lines = answer.text.split('\n').filter(line => line !== '')
  return {
    status: answer.status,
    files: answer.status === 200 ? lines.map(line => JSON.parse(line) as VerifiedFile) : [],
  }
}

const check = (cwd: string) => {
  try {
    return execFileSync('sha256sum', ['-c', 'SHA256SUMS'], {
      cwd,
      encoding: 'latin1',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (failed) {
    return String((failed as { stdout: string }).stdout)
  }
}

test('sha256sum confirms the checksums of a folder, and notices one changed byte', async () => {
  const { path, disk } = await tree()
  const answer = await manifestOf(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toContain('SHA256SUMS')
  await writeFile(join(disk, 'SHA256SUMS'), answer.bytes)
  const lines = check(disk).trimEnd().split('\n')
  expect(lines).toHaveLength(4)
  expect(lines.every(line => line.endsWith(': OK'))).toBe(true)
  await writeFile(join(disk, 'a.txt'), 'alphA')
  expect(check(disk)).toContain('a.txt: FAILED')
})

test('the checksums of sha256sum are verified, and those that changed, are missing or lie outside are listed', async () => {
  const { path, disk } = await tree()
  const made = execFileSync('sh', ['-c', 'find . -type f -print0 | xargs -0 sha256sum'], { cwd: disk })
  const outside = `${'0'.repeat(64)}  ../../etc/passwd\n${'0'.repeat(64)}  gone.txt\nhello\n`
  await writeFile(join(disk, 'SHA256SUMS'), Buffer.concat([made, Buffer.from(outside)]))
  const before = await verify(`${path}/SHA256SUMS`)
  expect(before.files.map(({ state }) => state).sort()).toEqual([
    'missing',
    'missing',
    'noLine',
    'same',
    'same',
    'same',
    'same',
  ])
  await writeFile(join(disk, 'a.txt'), 'alphA')
  const after = await verify(`${path}/SHA256SUMS`)
  expect(after.files.filter(({ state }) => state === 'different')).toEqual([{ name: './a.txt', state: 'different' }])
})

test('a file that is no manifest is refused, and one beyond the limit', async () => {
  const { path, disk } = await tree()
  expect((await verify(`${path}/a.txt`)).status).toBe(400)
  await writeFile(join(disk, 'huge'), Buffer.alloc(LIMITS.manifest + 1, 'x'))
  expect((await verify(`${path}/huge`)).status).toBe(413)
})

test('what a rule denies is missing from a manifest, and cannot be confirmed by one', async () => {
  const { path, disk } = await tree()
  await mkdir(join(disk, 'secret'))
  await writeFile(join(disk, 'secret', 'x'), 'alpha')
  const other = await person(wire, 'manifest-ruled', PASSWORD)
  const answer = await call(wire, `/api/manifest${path}`, { token: other.token })
  expect(answer.text).not.toContain('secret')
  const [sum] = execFileSync('sha256sum', ['a.txt'], { cwd: disk, encoding: 'utf8' }).split(' ')
  await writeFile(join(disk, 'guess'), `${sum}  secret/x\n`)
  expect((await verify(`${path}/guess`, other.token)).files).toEqual([{ name: 'secret/x', state: 'missing' }])
})

test('both need the right to download', async () => {
  const { path } = await tree()
  const other = await person(wire, 'manifest-blind', PASSWORD)
  for (const target of [`/api/manifest${path}`, `/api/verify${path}/a.txt`]) {
    expect((await call(wire, target, { token: other.token })).status).toBe(403)
  }
})
