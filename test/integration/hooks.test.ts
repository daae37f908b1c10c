import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { isAlive, pidIn, textIn } from '../../server/sandbox/test-process.ts'
import { manager, newcomer, perm, send } from '../api/accounts.ts'
import { type Answer, call, encode, json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { corner, serve } from '../api/instance.ts'
import { offsetOf, tusOf } from '../api/tus.ts'

const off = await serve()
const server = await serve({
  args: ['--disableExec=false', '--execSandbox=none'],
  env: { FROM_HOST: 'told', FB_SECRET: 'hidden' },
})
const admin = await manager(server)
const everything = perm('create', 'rename', 'modify', 'delete', 'share', 'download')
const ann = await newcomer(server, admin, { perm: everything, scope: '/ann' })
const tus = tusOf(server, ann)
const HOME = join(server.root, 'ann')
await mkdir(HOME, { recursive: true })

/** Writes a program for a hook. @returns its path */
async function program(text: string): Promise<string> {
  const path = join(server.home, uniqueName('hook'))
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return path
}
/** A program that records its arguments and environment. @returns its path, and the records so far */
async function notes() {
  const file = join(server.home, uniqueName('notes'))
  const text = `printf '%s|%s|%s|%s|%s\\n' "$TRIGGER" "$USERNAME" "$SCOPE" "$FILE" "$DESTINATION" >> ${file}`
  return { path: await program(text), taken: () => textIn(file).split('\n').slice(0, -1) }
}
const hook = async (commands: Record<string, string[]>, shell: string[] = []) => {
  expect((await admin.change({ commands, shell })).status).toBe(200)
}
afterEach(() => hook({}))

/** One call about a path in the scope. */
const request = (method: string, path: string, query = '', body?: string): Promise<Answer> =>
  call(server, `/api/resources${encode(path)}${query}`, {
    method,
    token: ann.token,
    ...(body === undefined ? {} : { body }),
  })
const upload = (path: string, body = 'new', query = '') => request('POST', path, query, body)
const transfer = (action: string, from: string, to: string, query = '') =>
  request('PATCH', from, `?action=${action}&destination=${encodeURIComponent(encode(to))}${query}`)
const read = (path: string) => readFileSync(join(HOME, path), 'utf8')
const code = (answer: Answer) => `${answer.status} ${answer.headers.get('x-error-code')}`
const REFUSED = '422 hook_refused'
const FAILED = '424 hook_failed'
const every = (when: 'before' | 'after', line: string) =>
  Object.fromEntries(['save', 'upload', 'copy', 'rename', 'delete'].map(name => [`${when}_${name}`, [line]]))

/** Resumable upload of one chunk. @returns the response to the chunk, or to the creation of an empty one */
async function resumable(path: string, body: string): Promise<Answer> {
  const created = await tus.create(path, body.length)
  return body === '' ? created : tus.patch(path, 0, body)
}

describe('a hook runs once before and once after', () => {
  const cases: [string, string, (folder: string) => Promise<Answer>, string, string?][] = [
    ['an upload', 'upload', folder => upload(`${folder}/new.txt`), 'new.txt'],
    ['an upload over something', 'upload', folder => upload(`${folder}/a.txt`, 'x', '?override=true'), 'a.txt'],
    ['a new folder', 'upload', folder => request('POST', `${folder}/sub/`), 'sub'],
    ['a resumable upload', 'upload', folder => resumable(`${folder}/tus.txt`, 'abc'), 'tus.txt'],
    ['an empty resumable upload', 'upload', folder => resumable(`${folder}/empty.txt`, ''), 'empty.txt'],
    ['a save', 'save', folder => request('PUT', `${folder}/a.txt`, '', 'saved'), 'a.txt'],
    ['a copy', 'copy', folder => transfer('copy', `${folder}/a.txt`, `${folder}/b.txt`), 'a.txt', 'b.txt'],
    [
      'a copy under another name',
      'copy',
      folder => transfer('copy', `${folder}/a.txt`, `${folder}/a.txt`, '&rename=true'),
      'a.txt',
      'a(1).txt',
    ],
    ['a move', 'rename', folder => transfer('rename', `${folder}/a.txt`, `${folder}/c.txt`), 'a.txt', 'c.txt'],
    ['a removal', 'delete', folder => request('DELETE', `${folder}/a.txt`), 'a.txt'],
  ]

  test.each(cases)('%s', async (_what, event, act, file, to) => {
    const { path: folder, disk } = await corner({ root: HOME })
    await writeFile(join(disk, 'a.txt'), 'old')
    const { path, taken } = await notes()
    await hook({ ...every('before', path), ...every('after', path) })
    expect((await act(folder)).status).toBeLessThan(300)
    const destination = to === undefined ? HOME : join(disk, to)
    const expected = `${ann.name}|/ann|${join(disk, file)}|${destination}`
    expect(taken()).toEqual([`before_${event}|${expected}`, `after_${event}|${expected}`])
  })
})

test('no hook runs when nothing is done', async () => {
  const { path: folder, disk } = await corner({ root: HOME })
  const { path, taken } = await notes()
  await hook({ ...every('before', path), ...every('after', path) })
  expect((await request('GET', `${folder}/`)).status).toBe(200)
  expect((await request('POST', `${folder}/`)).status).toBe(200)
  expect(taken()).toEqual([])
  expect(readdirSync(disk)).toEqual([])
})

describe('before a hook runs', () => {
  test('conflicts, missing paths, permissions and rules are checked', async () => {
    const { path: folder, disk } = await corner({ root: HOME })
    await writeFile(join(disk, 'a.txt'), 'old')
    await mkdir(join(disk, 'tree'))
    await writeFile(join(disk, 'tree/denied.txt'), '')
    await admin.update(ann.id, ['rules'], { rules: [{ path: `${folder}/tree/denied.txt` }] })
    const { path, taken } = await notes()
    await hook(every('before', path))
    const bob = await newcomer(server, admin, { perm: perm('download'), scope: '/ann' })
    const asBob = (method: string, query = '') =>
      call(server, `/api/resources${folder}/a.txt${query}`, { method, token: bob.token })
    const refused = [
      [await upload(`${folder}/a.txt`), 409],
      [await upload(`${folder}/tree`, 'x', '?override=true'), 409],
      [await request('PUT', `${folder}/none.txt`, '', 'x'), 404],
      [await request('DELETE', `${folder}/none.txt`), 404],
      [await transfer('copy', `${folder}/none.txt`, `${folder}/b.txt`), 404],
      [await transfer('copy', `${folder}/a.txt`, `${folder}/tree`, '&override=true'), 409],
      [await transfer('copy', `${folder}/tree`, `${folder}/tree2`), 403],
      [await transfer('rename', `${folder}/tree`, `${folder}/tree2`), 403],
      [await request('DELETE', `${folder}/tree`), 403],
      [await asBob('DELETE'), 403],
      [await asBob('POST', '?override=true'), 403],
      [await asBob('PUT'), 403],
      [await asBob('PATCH', `?action=copy&destination=${folder}/b.txt`), 403],
      [await asBob('PATCH', `?action=rename&destination=${folder}/b.txt`), 403],
    ] as const
    expect(refused.map(([answer]) => answer.status)).toEqual(refused.map(([, status]) => status))
    expect(taken()).toEqual([])
    await admin.update(ann.id, ['rules'], { rules: [] })
  })
})

describe('a hook that refuses', () => {
  test('CRASH-05 leaves everything unchanged', async () => {
    const { path: folder, disk } = await corner({ root: HOME })
    await writeFile(join(disk, 'a.txt'), 'old')
    await mkdir(join(disk, 'tree'))
    await hook(every('before', await program('exit 1')))
    const answers = [
      await upload(`${folder}/new.txt`),
      await upload(`${folder}/a.txt`, 'x', '?override=true'),
      await request('POST', `${folder}/sub/`),
      await request('PUT', `${folder}/a.txt`, '', 'saved'),
      await transfer('copy', `${folder}/a.txt`, `${folder}/b.txt`),
      await transfer('rename', `${folder}/tree`, `${folder}/tree2`),
      await request('DELETE', `${folder}/tree`),
      await resumable(`${folder}/empty.txt`, ''),
    ]
    expect(answers.map(code)).toEqual(answers.map(() => REFUSED))
    expect(answers[0]?.text).toBe('422 Unprocessable Entity\n')
    expect(readdirSync(disk).sort()).toEqual(['a.txt', 'tree'])
    expect(read(`${folder}/a.txt`)).toBe('old')
  })

  test('is the last one that runs', async () => {
    const { path: folder } = await corner({ root: HOME })
    const { path, taken } = await notes()
    await hook({ before_upload: [path, 'false', path], after_upload: [path] })
    expect(code(await upload(`${folder}/new.txt`))).toBe(REFUSED)
    expect(taken()).toHaveLength(1)
  })

  test('leaves a resumable upload for another attempt', async () => {
    const { path: folder, disk } = await corner({ root: HOME })
    await hook({ before_upload: ['false'] })
    expect(code(await resumable(`${folder}/a.txt`, 'whole'))).toBe(REFUSED)
    expect(existsSync(join(disk, 'a.txt'))).toBe(false)
    await hook({})
    expect(offsetOf(await tus.head(`${folder}/a.txt`))).toBe('5')
    expect(read(`${folder}/a.txt`)).toBe('whole')
  })

  test('QTA-03 takes nothing from a quota, once the upload is given up', async () => {
    const { path: scope, disk } = await corner(server)
    await writeFile(join(disk, 'a.txt'), 'old')
    const bob = await newcomer(server, admin, { perm: everything, scope })
    const limit = { bytes: 100 }
    expect((await send(server, 'PUT', `/api/quotas/users/${bob.id}`, admin.token, limit)).status).toBe(204)
    const quota = async () => json(await call(server, '/api/quota', { token: bob.token }))
    const before = { used: 3, reserved: 0, exact: true, items: { limit: null, used: 1, reserved: 0 } }
    await expect.poll(quota).toMatchObject(before)
    const ask = (method: string, path: string) =>
      call(server, `/api/resources/${path}`, { method, token: bob.token, body: 'x'.repeat(50) })
    const uploads = tusOf(server, bob)
    for (const name of ['before_upload', 'before_save']) {
      await hook({ [name]: ['false'] })
      const bodies =
        name === 'before_save' ? [ask('PUT', 'a.txt')] : [ask('POST', 'b.txt'), ask('POST', 'a.txt?override=true')]
      for (const answer of await Promise.all(bodies)) expect(code(answer)).toBe(REFUSED)
      expect(await quota()).toMatchObject(before)
    }
    await hook({ before_upload: ['false'] })
    expect((await uploads.create('/c.txt', 60)).status).toBe(201)
    expect(code(await uploads.patch('/c.txt', 0, 'x'.repeat(60)))).toBe(REFUSED)
    expect(await quota()).toMatchObject({ used: 3, reserved: 60 })
    expect((await uploads.cancel('/c.txt')).status).toBe(204)
    expect(await quota()).toMatchObject(before)
    expect(readFileSync(join(disk, 'a.txt'), 'utf8')).toBe('old')
  })

  test.each(['no-such-program', './here', '"open', '$FILE', 'no-such-program &', ' & '])(
    'cannot be started: %j',
    async line => {
      const { path: folder, disk } = await corner({ root: HOME })
      await hook({ before_upload: [line] })
      expect(code(await upload(`${folder}/new.txt`))).toBe(REFUSED)
      expect(readdirSync(disk)).toEqual([])
    },
  )
})

describe('a hook that fails afterwards', () => {
  test('CRASH-06 undoes nothing, and the response says so', async () => {
    const { path: folder, disk } = await corner({ root: HOME })
    await writeFile(join(disk, 'old.txt'), 'old')
    await hook(every('after', 'false'))
    const answers = [
      await upload(`${folder}/new.txt`),
      await upload(`${folder}/old.txt`, 'x', '?override=true'),
      await request('POST', `${folder}/sub/`),
      await request('PUT', `${folder}/new.txt`, '', 'saved'),
      await transfer('copy', `${folder}/new.txt`, `${folder}/copy.txt`),
      await transfer('rename', `${folder}/copy.txt`, `${folder}/moved.txt`),
      await request('DELETE', `${folder}/sub`),
    ]
    expect(answers.map(code)).toEqual(answers.map(() => FAILED))
    expect(answers[0]?.text).toBe('424 Failed Dependency\n')
    expect(readdirSync(disk).sort()).toEqual(['moved.txt', 'new.txt', 'old.txt'])
    expect([read(`${folder}/old.txt`), read(`${folder}/moved.txt`)]).toEqual(['x', 'saved'])
  })

  test('leaves no resumable upload behind', async () => {
    const { path: folder } = await corner({ root: HOME })
    await hook({ after_upload: ['false'] })
    expect(code(await resumable(`${folder}/a.txt`, 'whole'))).toBe(FAILED)
    expect(read(`${folder}/a.txt`)).toBe('whole')
    expect((await tus.head(`${folder}/a.txt`)).status).toBe(404)
  })
})

describe('the name of a file', () => {
  const NAMES = [
    '$(touch P)',
    '`touch P`',
    ';touch P',
    '$HOME',
    '-rf',
    'a b',
    'a\nb',
    '%s',
    `"'\\`,
    '&',
    '$FILE',
    'ä🙂',
  ]

  test.each(NAMES)('CMD-02 %j reaches a hook unchanged, as one argument', async name => {
    const { path: folder, disk } = await corner({ root: HOME })
    const file = join(server.home, uniqueName('arguments'))
    const path = await program(`for word; do printf '[%s]' "$word"; done > ${file}`)
    await hook({ after_upload: [`${path} $FILE "a \${FILE} b" '$TRIGGER' \\$USERNAME $NOTHING $FROM_HOST`] })
    expect((await upload(`${folder}/${name}`)).status).toBe(200)
    const whole = join(disk, name)
    expect(textIn(file)).toBe(`[${whole}][a ${whole} b][after_upload][${ann.name}][][told]`)
    expect(readdirSync(disk)).toEqual([name])
  })

  test.each(NAMES)('%j is not interpreted by the shell of the settings', async name => {
    const { path: folder, disk } = await corner({ root: HOME })
    const file = join(server.home, uniqueName('arguments'))
    await hook({ after_upload: [`cd ${disk} && printf '[%s]' "$FILE" $TRIGGER > ${file}`] }, ['sh', '-c'])
    expect((await upload(`${folder}/${name}`)).status).toBe(200)
    expect(textIn(file)).toBe(`[${join(disk, name)}][after_upload]`)
    expect(readdirSync(disk)).toEqual([name])
  })
})

test('a program of the host has its environment, without the settings of this server, and empty input', async () => {
  const { path: folder } = await corner({ root: HOME })
  const file = join(server.home, uniqueName('environment'))
  await hook({ before_upload: [await program(`cat; env > ${file}`)] })
  expect((await upload(`${folder}/a.txt`)).status).toBe(200)
  expect(textIn(file)).toContain('FROM_HOST=told')
  expect(textIn(file)).not.toMatch(/hidden|FILIGREE|passphrase/)
})

describe('a command that ends in &', () => {
  test('is not waited for, and its failure has no effect', async () => {
    const { path: folder } = await corner({ root: HOME })
    const file = join(server.home, uniqueName('own'))
    await hook({ before_upload: [`${await program(`echo $$ > ${file}; sleep 100; exit 1`)} $FILE &`] })
    expect((await upload(`${folder}/a.txt`)).status).toBe(200)
    const pid = await pidIn(file)
    expect(isAlive(pid)).toBe(true)
    process.kill(-pid, 'SIGKILL')
  })

  test('ends with the server', async () => {
    const other = await serve({ args: ['--disableExec=false', '--execSandbox=none'] })
    const chief = await manager(other)
    const file = join(other.home, 'own')
    const path = await program(`trap '' TERM; echo $$ > ${file}; while :; do sleep 0.1; done`)
    await chief.change({ commands: { after_upload: [`${path}&`] } })
    const answer = await call(other, '/api/resources/a.txt', { method: 'POST', token: chief.token, body: 'x' })
    expect(answer.status).toBe(200)
    const pid = await pidIn(file)
    expect(await other.end()).toBe(0)
    expect(isAlive(pid)).toBe(false)
  })
})

test('CMD-10 a hundred uploads at once run a few hooks at a time, each once', async () => {
  const { path: folder, disk } = await corner({ root: HOME })
  const place = join(server.home, uniqueName('turns'))
  await mkdir(join(place, 'now'), { recursive: true })
  const path = await program(`: > ${place}/now/$$; ls ${place}/now | wc -l >> ${place}/counts; rm ${place}/now/$$`)
  await hook({ before_upload: [path] })
  const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => upload(`${folder}/${index}.txt`)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(readdirSync(disk)).toHaveLength(100)
  const counts = textIn(join(place, 'counts')).trim().split('\n').map(Number)
  expect(counts).toHaveLength(100)
  expect(Math.max(...counts)).toBeLessThanOrEqual(8)
})

test('the log has the output and exit code of a hook', async () => {
  const { path: folder } = await corner({ root: HOME })
  await hook({ after_upload: [await program('echo some words; echo a complaint >&2; exit 7')] })
  await upload(`${folder}/a.txt`)
  const line = (await server.log()).split('\n').find(text => text.includes('a complaint'))
  const entry = JSON.parse(line ?? '{}')
  expect(entry).toMatchObject({ trigger: 'after_upload', user: ann.name, code: 7, msg: 'hook failed' })
  expect(entry.output).toContain('some words')
})

test('where the host allows no programs, no hook runs', async () => {
  const chief = await manager(off)
  const { path, taken } = await notes()
  await chief.change({ commands: { ...every('before', path), before_save: ['false'] }, shell: ['sh', '-c'] })
  const body = { method: 'POST', token: chief.token, body: 'x' }
  expect((await call(off, '/api/resources/a.txt', body)).status).toBe(200)
  expect((await call(off, '/api/resources/a.txt', { ...body, method: 'PUT' })).status).toBe(200)
  await expect.poll(taken).toEqual([])
})
