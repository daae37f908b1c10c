import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { directoryAt, logIn } from '../ldap/sign-in.ts'
import { dnOf, group, groupDn, person, READER } from '../ldap/slapd.ts'
import { startSlapd } from '../ldap/start-slapd.ts'
import { shareProcess } from './console.ts'

const openConsole = shareProcess()
const PASSWORD = 'a-password-of-the-directory'

const slapd = await startSlapd(
  [
    ...['ann', 'bea', 'admin'].map(uid => person(uid, PASSWORD)),
    group('north', [dnOf('ann')]),
    group('staff', [groupDn('north')]),
  ].join('\n'),
)

test('directories ls, test, link, sync and unlink show, compare and connect without a secret', async () => {
  const home = await makeHome()
  const file = join(home, 'a.json')
  const gone = directoryAt(slapd, { slug: 'gone', urls: ['ldaps://127.0.0.1:1'] })
  const corp = directoryAt(slapd, { groupMap: { staff: 'Staff' } })
  await writeFile(file, JSON.stringify({ directories: [corp, gone] }))
  const server = await serve({ home, args: ['--config', file, '--trustedProxies', '127.0.0.1'] })
  const found = await openConsole(server.home)
  const common = ['-d', server.database, '-c', file]
  const ok = (...args: string[]) => found.ok('directories', ...args, ...common)
  const refused = (...args: string[]) => found.refused('directories', ...args, ...common)

  const shown = [await ok('ls'), await ok('test', 'corp'), await ok('test', 'corp', 'ann')]
  expect(shown[0]).toContain(`127.0.0.1:${slapd.port} (starttls)`)
  expect(shown[1]).toMatch(/^Users +3$/m)
  expect(shown[2]).toContain(dnOf('ann'))
  expect(shown[2]).toMatch(/^Groups here +Staff$/m)
  expect(shown[2]).toMatch(/^Account here +ann: a new one, if its folder is free$/m)
  expect(await ok('test', 'corp', 'admin')).toMatch(/^Account here +none: another account has the name admin of /m)
  const [right, wrong] = [join(home, 'right'), join(home, 'wrong')]
  await writeFile(right, `${PASSWORD}\n`)
  await writeFile(wrong, 'another\n')
  const checked = [await ok('test', 'corp', 'ann', '--passwordFile', right)]
  checked.push(await ok('test', 'corp', 'ann', '--passwordFile', wrong))
  expect(checked[0]).toMatch(/^Password +right$/m)
  expect(checked[1]).toMatch(/^Password +wrong: the sign-in at the server: /m)
  shown.push(...checked)
  expect(shown.join()).not.toContain(READER.password)
  expect(shown.join()).not.toContain(PASSWORD)
  expect(await refused('test', 'corp', 'nobody')).toBe("No entry of the directory has the name 'nobody'.")
  expect(await refused('test', 'gone')).toContain('127.0.0.1:1 cannot be reached: ECONNREFUSED')
  expect(await refused('test', 'none')).toBe("The configuration names no directory 'none'.")

  const { text: token } = await logIn(server, 'ann', PASSWORD)
  expect(await ok('test', 'corp', 'ann')).toMatch(/^Account here +ann$/m)
  const { text: secret } = await call(server, '/api/tokens', {
    method: 'POST',
    token,
    body: JSON.stringify({ label: 'rclone', scopes: ['read'] }),
  })
  slapd.modify(`dn: ${dnOf('ann')}\nchangetype: modify\nadd: shadowExpire\nshadowExpire: 1\n`)
  expect(await ok('sync', 'corp', '--dryRun')).toContain('Missing for the first time 1, closed 0')
  expect(await ok('sync', 'corp', '--accept')).toContain('Missing for the first time 1, closed 0')
  const statusOf = async (own: string) => (await call(server, '/api/resources/', { token: own })).status
  expect(await statusOf(token)).toBe(200)
  expect(await ok('sync', 'corp', '--accept')).toContain('Missing for the first time 0, closed 1')
  expect([await statusOf(token), await statusOf(JSON.parse(secret).token)]).toEqual([401, 401])

  const admin = await signIn(server)
  await ok('link', 'corp', 'admin', 'admin')
  expect(claimsOf((await logIn(server, 'admin', PASSWORD)).text).user.username).toBe('admin')
  expect(await refused('link', 'corp', 'admin', 'admin')).toContain('unlink it first')
  const [, subject = ''] = /(\S+) +admin +admin/.exec(await found.ok('providers', 'identities', ...common)) ?? []
  await ok('unlink', 'corp', subject)
  expect(await refused('unlink', 'corp', subject)).toContain('No account is connected')
  expect(await signIn(server)).toContain('.')
  const log = json(await call(server, '/api/audit?action=user.change', { token: admin }))
  expect(JSON.stringify(log)).toContain('ann disabled')
})
