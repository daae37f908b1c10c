import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manager, perm } from './accounts.ts'
import { call } from './client.ts'
import { openInstance } from './instance.ts'
import { linkTo } from './links-client.ts'
import { configure } from './people.ts'
import { newSharer } from './sharers.ts'

const server = await openInstance()
await configure(server, { branding: { name: 'Our <files>' } })
const admin = await manager(server)

/** The title that messengers show for a page. */
const titleOf = async (path: string) =>
  /<meta property="og:title" content="([^"]*)">/.exec((await call(server, path)).text)?.[1]

test('the page of a link names what it shares for messengers, as text', async () => {
  const ann = await newSharer(server, admin)
  const name = "a\"><script>alert(1)</script> & $& 'b'".replaceAll('/', '')
  await mkdir(join(ann.home, name))
  await writeFile(join(ann.home, name, 'x.txt'), 'x')
  const { hash } = await linkTo(server, ann.token, `/${name}/`)
  const escaped = 'a&#34;&#62;&#60;script&#62;alert(1)&#60;script&#62; &#38; $&#38; &#39;b&#39;'
  expect(await titleOf(`/share/${hash}`)).toBe(escaped)
  expect(await titleOf(`/share/${hash}/x.txt`)).toBe(escaped)
  expect((await call(server, `/share/${hash}`)).text).not.toContain('<script>alert')
  expect((await call(server, `/share/${hash}`)).text).toContain('property="og:site_name" content="Our &#60;files&#62;"')
  const file = await linkTo(server, ann.token, '/docs/one.txt')
  expect(await titleOf(`/share/${file.hash}`)).toBe('one.txt')
})

test('it names nothing for a link with a password, an ended one, and one whose owner may not share', async () => {
  const ann = await newSharer(server, admin)
  const locked = await linkTo(server, ann.token, '/docs/', { password: 'secret' })
  expect(await titleOf(`/share/${locked.hash}`)).toBeUndefined()
  const short = await linkTo(server, ann.token, '/docs/', { expires: 1, unit: 'seconds' })
  const { hash } = await linkTo(server, ann.token, '/docs/')
  expect(await titleOf(`/share/${hash}`)).toBe('docs')
  await admin.update(ann.id, ['perm'], { perm: perm('download') })
  expect(await titleOf(`/share/${hash}`)).toBeUndefined()
  await new Promise(resolve => setTimeout(resolve, Math.max(0, short.expire * 1000 + 50 - Date.now())))
  for (const name of [short.hash, 'no-such-link', '%2e', 'a%00b']) {
    expect(await titleOf(`/share/${name}`)).toBeUndefined()
  }
  expect(await titleOf('/files/')).toBeUndefined()
})

describe('PUB-09 what a link shows', () => {
  const policyOf = async (path: string) => (await call(server, path)).headers.get('content-security-policy') ?? ''

  test.each(['page.html', 'drawing.svg'])(
    '%s behind a link opens without scripts and without the origin',
    async name => {
      const ann = await newSharer(server, admin)
      await writeFile(join(ann.home, name), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
      const { hash } = await linkTo(server, ann.token, `/${name}`)
      const policy = await policyOf(`/api/public/dl/${hash}?inline=true`)
      expect(policy).toMatch(/(^|; )sandbox($|;)/)
      expect(policy).toMatch(/default-src 'none'/)
    },
  )

  test('no other site frames the page of a link or of a file request', async () => {
    const ann = await newSharer(server, admin)
    for (const terms of [{}, { kind: 'drop' }]) {
      const { hash } = await linkTo(server, ann.token, '/docs/', terms)
      expect(await policyOf(`/share/${hash}`)).toMatch(/(^|; )frame-ancestors 'none'($|;)/)
    }
  })
})
