import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('XSS-07 the policy allows no inline script, and no text becomes markup or a program unseen', async ({
  app,
  page,
  corner,
  complaints,
}) => {
  await writeFile(join(corner.disk, 'worker.js'), 'postMessage("ran")')
  const answer = await page.request.get(`${app.url}/login`)
  const policy = answer.headers()['content-security-policy'] ?? ''
  expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|unsafe-hashes/)
  expect(policy).toContain("require-trusted-types-for 'script'")
  await app.openFolder(corner.path)
  expect(complaints).toEqual([])
  const refused = await page.evaluate(
    stored => {
      const attempts: Record<string, () => unknown> = {
        markup: () => Object.assign(document.createElement('div'), { innerHTML: '<img src=x onerror=alert(1)>' }),
        program: () => Object.assign(document.createElement('script'), { text: 'alert(1)' }),
        worker: () => new Worker(stored),
        foreign: () => Object.assign(document.createElement('script'), { src: 'https://elsewhere.example/a.js' }),
        evaluated: () => setTimeout('alert(1)'),
      }
      return Object.entries(attempts).flatMap(([name, attempt]) => {
        try {
          attempt()
          return []
        } catch {
          return name
        }
      })
    },
    `${new URL(app.url).pathname.replace(/\/$/, '')}/api/raw${corner.path}/worker.js?inline=true`,
  )
  expect(refused).toEqual(['markup', 'program', 'worker', 'foreign', 'evaluated'])
  await expect.poll(() => complaints.join()).toContain('policy: require-trusted-types-for')
  complaints.length = 0
})
