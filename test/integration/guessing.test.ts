import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newUser, send } from '../api/accounts.ts'
import { type Answer, call, login } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { linkTo, viewShare, withPassword } from '../api/links-client.ts'

const server = await serve({ args: ['--trustedProxies', '127.0.0.1'] })
const admin = await manager(server)

/** The responses to concurrent wrong attempts. */
const flood = (attempt: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: 30 }, (_, index) => attempt(index)))
const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort()
const from = (address: string) => ({ 'X-Forwarded-For': address })

const signInFrom = (address: string, username: string, password: string) =>
  call(server, '/api/login', {
    method: 'POST',
    headers: from(address),
    body: JSON.stringify({ username, password, recaptcha: '' }),
  })

describe('AUTH-02 guessing', () => {
  test('at an account is delayed, with the same response whether or not it exists', async () => {
    await admin.add('ann', {})
    const [known, unknown] = await Promise.all([
      flood(index => signInFrom('192.0.2.1', 'ann', `wrong ${index}`)),
      flood(index => signInFrom('192.0.2.2', 'nobody', `wrong ${index}`)),
    ])
    for (const answers of [known, unknown]) {
      expect(statusesOf(answers)).toEqual([403, 429])
      expect(answers.filter(({ status }) => status === 403)).toHaveLength(9)
      const refused = answers.find(({ status }) => status === 429)
      expect(Number(refused?.headers.get('retry-after'))).toBe(30)
      expect(refused?.text).toBe('429 Too Many Requests\n')
    }
    expect((await signInFrom('192.0.2.1', 'ann', GOOD_PASSWORD)).status).toBe(429)
    expect((await signInFrom('192.0.2.3', 'ann', GOOD_PASSWORD)).status).toBe(200)
  })

  test('at the password of a share link is delayed', async () => {
    const { hash } = await linkTo(server, admin.token, '/', { password: 'a password of its own' })
    const answers = await flood(index => viewShare(server, hash, '', '', withPassword(`wrong ${index}`)))
    expect(statusesOf(answers)).toEqual([401, 429])
  })

  test('at the current password is delayed', async () => {
    const answers = await flood(index =>
      send(server, 'POST', '/api/users', admin.token, {
        what: 'user',
        which: [],
        data: newUser(`u${index}`),
        current_password: `wrong ${index}`,
      }),
    )
    expect(statusesOf(answers)).toEqual([400, 429])
  })

  test('logs a line for each attempt, with which a program can block the client', async () => {
    await login(server, 'x" 203.0.113.9 "/api/login: 403 203.0.113.9', 'wrong')
    const lines = (await server.log()).split('\n').filter(line => line.includes('"level":40'))
    const pattern = /^\{"level":40,"time":"[^"]+","reqId":"[\w-]+","client":"(\S+?)","msg":"(\/api\/\w+): (\d+) \1"\}$/
    expect(lines.filter(line => !pattern.test(line))).toEqual([])
    const logged = lines.map(line => pattern.exec(line)?.slice(1, 4).join(' '))
    for (const line of ['192.0.2.1 /api/login 403', '192.0.2.1 /api/login 429', '127.0.0.1 /api/public 401']) {
      expect(logged).toContain(line)
    }
    expect(lines.join()).not.toContain('203.0.113.9')
    const guide = readFileSync(new URL('../../docs/fail2ban.md', import.meta.url), 'utf8')
    const filter = new RegExp(/^failregex = (.*)$/m.exec(guide)?.[1]?.replace('<HOST>', '([\\d.]+)') ?? '$')
    expect(lines.map(line => filter.exec(line)?.[1])).toEqual(lines.map(line => pattern.exec(line)?.[1]))
  })
})

test('AUTH-10 many concurrent sign-ins are queued or refused, and other requests are not blocked', async () => {
  const all = Array.from({ length: 120 }, (_, index) =>
    signInFrom(`198.51.100.${index}`, `somebody ${index}`, 'wrong password'),
  )
  await expect.poll(async () => (await call(server, '/health')).status).toBe(200)
  const statuses = statusesOf(await Promise.all(all))
  expect(statuses).toContain(503)
  for (const status of statuses) expect([403, 503]).toContain(status)
})
