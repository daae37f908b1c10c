import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { manager } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { linkTo } from '../api/links-client.ts'
import { expectAccessible, expectAccessibleInBoth, expectNoSidewaysScroll, fill } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

/** Twice as wide as high; a script in it would appear as a policy violation. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" viewBox="0 0 80 40"><style>rect{fill:#8a1c4a}</style><rect width="80" height="40"/></svg>`
const STYLES = 'h1 { font-style: italic }\n:root { --radius-control: 0px }\n'
const ICONS = [
  ...['logo.svg', 'icons/favicon.ico', 'icons/favicon.svg', 'icons/apple-touch-icon.png'],
  ...['icons/android-chrome-192x192.png', 'icons/android-chrome-512x512.png'],
]

/** Changes the branding alone; the theme follows the system. */
const brand = async (server: OwnServer, branding: object) =>
  expect((await (await manager(server)).change({ branding })).status).toBe(200)

async function folderOf({ home }: OwnServer, name: string, logo = LOGO): Promise<string> {
  const folder = join(home, name)
  await mkdir(join(folder, 'img'), { recursive: true })
  await writeFile(join(folder, 'img/logo.svg'), logo)
  return folder
}

/** Width of the logo's file, and its width and height as rendered. */
const logoIn = (page: Page) =>
  page.locator('img[data-logo]').evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    return [image.naturalWidth, image.width, image.height]
  })

test.afterEach(({ server }) => brand(server, {}))

test('the sidebar shows the host’s logo, and its style sheet is applied last', async ({
  app,
  page,
  server,
  corner,
}) => {
  const folder = await folderOf(server, 'own')
  await writeFile(join(folder, 'custom.css'), STYLES)
  await brand(server, { name: 'Harbour', files: folder })
  await fill(corner)
  await app.openFolder(corner.path)
  await expect(page.getByRole('link', { name: 'Harbour', exact: true }).locator('img')).toBeVisible()
  await expect.poll(() => logoIn(page)).toEqual([80, 48, 24])
  await expect(app.button('New').first()).toHaveCSS('border-radius', '0px')
  await page.setViewportSize({ width: 900, height: 640 })
  await expect.poll(async () => (await logoIn(page))[1]).toBeLessThanOrEqual(48)
  await expectNoSidewaysScroll(page)
})

test('a logo that cannot be drawn is replaced by the default mark', async ({ app, page, server, corner }) => {
  await brand(server, { files: await folderOf(server, 'broken', 'no drawing') })
  await app.openFolder(corner.path)
  await expect(page.getByRole('link', { name: 'Filigree', exact: true }).locator('svg')).toBeVisible()
  await expect(page.locator('img[data-logo]')).toHaveCount(0)
})

test('an administrator sets the branding folder and the colour, and sees them after a reload', async ({
  app,
  page,
  server,
}) => {
  const folder = await folderOf(server, 'set')
  await app.open('/settings/global')
  await page.getByLabel('Branding directory').fill(folder)
  const colour = page.getByLabel('Accent color')
  await colour.fill('tomato')
  await app.button('Save').click()
  await expect(colour).toHaveAttribute('aria-invalid', 'true')
  await colour.fill(' #8a1c4a')
  await app.button('Save').click()
  await expect(page.getByText('Settings updated')).toBeVisible()
  expect(json(await (await manager(server)).settings()).branding).toMatchObject({ files: folder, color: '#8a1c4a' })
  await page.reload()
  await expect(page.locator('img[data-logo]')).toBeVisible()
  await expect(page.locator('meta[name=theme-color]')).toHaveAttribute('content', '#8a1c4a')
})

test('an administrator uploads an image for the sign-in page, visitors see it, and it is removed again', async ({
  app,
  page,
  browser,
  server,
}) => {
  await app.open('/settings/global')
  const row = page.getByRole('group', { name: 'Picture of the sign-in page' })
  const input = row.locator('input[type=file]')
  await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('noise') })
  await expect(row.getByText('This is not a PNG, JPEG, WebP or SVG image.')).toBeVisible()
  await input.setInputFiles('test/corpus/halves.jpg')
  await expect(row.locator('img')).toBeVisible()
  await expectAccessibleInBoth(page)

  const visit = await browser.newContext({ storageState: ANONYMOUS })
  const visitor = await visit.newPage()
  await visitor.goto(`${server.url}/login`)
  const picture = visitor.locator('main > img')
  const width = () => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth)
  await expect.poll(width).toBeGreaterThan(0)
  await expectAccessibleInBoth(visitor)
  const beside = await visitor.getByLabel('Username').boundingBox()
  expect(beside?.x).toBeGreaterThan((await picture.boundingBox())?.width ?? 0)
  await visitor.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(visitor)
  await expect(visitor.getByRole('button', { name: 'Log in', exact: true })).toBeInViewport()
  await visit.close()

  await row.getByRole('button', { name: 'Remove' }).click()
  await expect(row.getByRole('button', { name: 'Choose image…' })).toBeFocused()
  await expect(row.locator('img')).toHaveCount(0)
})

test.describe('for visitors', () => {
  test.use({ storageState: ANONYMOUS })

  test('the sign-in page shows the logo and the colour of either theme', async ({ page, server }) => {
    await brand(server, { name: 'Harbour', color: '#fc0', files: await folderOf(server, 'visited') })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${server.url}/login`)
    await expect(page.getByRole('heading', { name: 'Harbour' })).toBeVisible()
    await expect.poll(() => logoIn(page)).toEqual([80, 96, 48])
    const logIn = page.getByRole('button', { name: 'Log in', exact: true })
    await expect(logIn).toHaveCSS('background-color', 'rgb(255, 204, 0)')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(logIn).not.toHaveCSS('background-color', 'rgb(255, 204, 0)')
    await expectAccessibleInBoth(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
  })

  test('pages of share links show the logo and the name, also where a password is required', async ({
    page,
    server,
    token,
    corner,
  }) => {
    await brand(server, { name: 'Harbour', files: await folderOf(server, 'shared') })
    await fill(corner)
    for (const body of [{}, { password: 'copper-anvil-drifts-9' }]) {
      const { hash } = await linkTo(server, token, `${corner.path}/`, body)
      await page.goto(`${server.url}/share/${hash}`)
      await expect(page.getByText('Harbour', { exact: true })).toBeVisible()
      await expect.poll(() => logoIn(page)).toEqual([80, 48, 24])
      await expectAccessible(page)
    }
  })

  test('every built-in icon is an image', async ({ page, server }) => {
    await page.goto(`${server.url}/login`)
    const widths = await page.evaluate(
      async ([at = '', ...names]) => {
        const load = async (name: string) => {
          const image = Object.assign(new Image(), { src: at + name })
          await image.decode()
          return image.naturalWidth
        }
        return Promise.all(names.map(load))
      },
      [`${server.url}/static/img/`, ...ICONS],
    )
    expect(widths.every(width => width >= 16)).toBe(true)
    expect(widths.slice(3)).toEqual([180, 192, 512])
  })
})
