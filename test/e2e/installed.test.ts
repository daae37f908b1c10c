import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call } from '../api/client.ts'
import { expect, test } from './fixtures.ts'

test.use({ serviceWorkers: 'allow' })

/** Waits for the service worker to answer for the page. */
const controlled = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

/** Sends what the share menu of a phone sends for a share target. */
async function share(page: Page, files: Record<string, string>, text = ''): Promise<void> {
  await page.evaluate(
    ([shared, words]) => {
      const form = document.createElement('form')
      const base = new URL((document.querySelector('link[rel=manifest]') as HTMLLinkElement).href)
      Object.assign(form, {
        method: 'post',
        enctype: 'multipart/form-data',
        action: new URL('share-target', base).href,
      })
      const field = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true })
      const list = new DataTransfer()
      for (const [name, content] of Object.entries(shared)) list.items.add(new File([content], name))
      field.files = list.files
      form.append(field, Object.assign(document.createElement('input'), { name: 'text', value: words }))
      document.body.append(form)
      form.submit()
    },
    [files, text] as const,
  )
}

test('what another app shares waits for its folder and is uploaded there', async ({ app, page, corner }) => {
  await app.open('/files/')
  await controlled(page)
  await share(page, { 'photo one.txt': 'first', 'ünï.txt': 'second' }, 'https://example.org/page')
  const card = page.getByRole('region', { name: 'Shared by another app' })
  await expect(card).toContainText('3 items from another app')
  await expect(page).toHaveURL(`${app.url}/files/`)

  await page.reload()
  await expect(card).toContainText('photo one.txt')
  await app.openFolder(corner.path)
  await card.getByRole('button', { name: 'Save here' }).click()
  await expect(card).toHaveCount(0)
  await expect(app.row('photo one.txt')).toBeVisible()
  await expect(app.row('example.org.url')).toBeVisible()
  await expect
    .poll(async () => (await readdir(corner.disk)).sort())
    .toEqual(['example.org.url', 'photo one.txt', 'ünï.txt'])
  expect(await readFile(join(corner.disk, 'ünï.txt'), 'utf8')).toBe('second')
  await expect.poll(() => cached(page, ' received')).toEqual([])
})

test('what another app shares is offered again after a cancelled upload', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await controlled(page)
  await share(page, { 'kept.txt': 'content' })
  const card = page.getByRole('region', { name: 'Shared by another app' })
  await expect(card).toContainText('kept.txt')
  await app.openFolder(corner.path)
  // Held for ever.
  await page.route(/\/api\/(tus|resources)\/.*kept/, () => {})
  await card.getByRole('button', { name: 'Save here' }).click()
  await page.getByRole('button', { name: 'Cancel kept.txt' }).click()
  await expect(card).toContainText('kept.txt')
  expect(await cached(page, ' received')).toHaveLength(1)
})

test('PWA-01 PWA-02 without a connection the page opens, and no cache holds what belongs to a user', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await controlled(page)
  const answered: string[] = []
  page.on('response', response => response.fromServiceWorker() && answered.push(new URL(response.url()).pathname))
  await page.reload()
  await app.openFolder(corner.path)
  expect(answered.filter(path => /\/(api|health|share)\//.test(path))).toEqual([])
  expect(answered.filter(path => path.includes('/static/assets/'))).not.toEqual([])

  await page.context().setOffline(true)
  await page.reload()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByText('The server is not reachable.').first()).toBeVisible()
  await page.context().setOffline(false)
  await page.reload()
  await expect(app.grid.or(page.getByText('It feels lonely here…')).first()).toBeVisible()
  const base = new URL(`${app.url}/`).pathname
  const kept = await cached(page, '')
  expect(kept.filter(path => path !== base && !path.startsWith(`${base}static/assets/`))).toEqual([])
})

test('the manifest has the name, icons of the right size and the base URL', async ({ page, server, app }) => {
  const manifest = JSON.parse((await call(server, '/manifest.webmanifest')).text)
  const base = new URL(`${app.url}/`).pathname
  expect(manifest).toMatchObject({ name: 'Filigree', scope: base, start_url: `${base}files/`, display: 'standalone' })
  await app.open('/files/')
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async address => {
      const image = await createImageBitmap(await (await fetch(address)).blob())
      return `${image.width}x${image.height}`
    }, src)
    expect(size).toBe(sizes)
  }
  const target = await call(server, '/share-target', { method: 'POST', body: 'x'.repeat(1000) })
  expect([target.status, target.headers.get('location')]).toEqual([303, `${base}files/?received=again`])
})

/** Paths in the caches of the app whose names end so. */
function cached(page: Page, end: string): Promise<string[]> {
  return page.evaluate(async ending => {
    const names = (await caches.keys()).filter(name => name.endsWith(ending))
    const keys = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
    return keys.flat().map(({ url }) => new URL(url).pathname)
  }, end)
}
