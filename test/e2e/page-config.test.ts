import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { openDb } from '../../server/db/open.ts'
import { AuthSettings } from '../../server/features/settings/auth-settings.ts'
import { writeAuthSettings } from '../../server/features/settings/settings.store.ts'
import { manager } from '../api/accounts.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.describe('the configuration of the page', () => {
  test.use({ storageState: ANONYMOUS })

  test('includes name, colours, version, sign-up, URL of its own files, and previews', async ({ page }, {
    project,
  }) => {
    const flags = ['--disableThumbnails', '--disablePreviewResize', '--disableExec=false']
    const server = await startServer({ base: project.metadata.base, args: flags })
    const branding = { name: 'Our harbour', disableExternal: true, theme: 'dark' }
    await (await manager(server)).change({ branding })
    await writeImage(server)
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    const app = new App(page, server.url)
    await app.open('/login')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(app.button('Sign up')).toHaveCount(0)
    await app.logIn(server.adminPassword)
    await expect(page).toHaveTitle(/Our harbour/)
    await expect(page.getByRole('link', { name: 'Our harbour' })).toBeVisible()
    await expect(page.getByText(/^Filigree \d+\.\d+\.\d+/)).toBeVisible()
    await expect(app.button('Terminal')).toBeVisible()

    await app.row('photo.png').dblclick()
    await expect(page.getByRole('img', { name: 'photo.png' })).toBeVisible()
    expect(asked.filter(path => path.includes('/api/preview/'))).toEqual([])
    const own = asked.filter(path => path.includes('/assets/'))
    expect(own.length).toBeGreaterThan(0)
    expect(own.filter(path => !path.startsWith(`${project.metadata.base}/static/assets/`))).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.locator('body > main')).toHaveCount(0)
    await expect(app.row('photo.png')).toBeFocused()

    await page.route('**/api/users/**', route => route.fulfill({ status: 500, body: '500' }))
    await page.keyboard.press('Control+Shift+2')
    await expect(page.getByText('Something really went wrong.')).toBeVisible()
    await expect(app.button('Report issue')).toHaveCount(0)
    // Parts that are still loading would be reported as missing.
    await page.goto('about:blank')
    await server.stop()
  })

  test('without accounts there is neither sign-in nor sign-out', async ({ page }, { project }) => {
    const server = await startServer({ base: project.metadata.base })
    const { db } = await openDb(server.database)
    await writeAuthSettings(db, AuthSettings.parse({ method: 'noauth' }))
    await db.destroy()
    const app = new App(page, server.url)
    await app.open('/login')
    await app.isAt('/files/')
    await expect(app.button('Upload')).toBeVisible()
    await app.openAccountMenu()
    await expect(page.getByRole('menuitem', { name: 'Log out' })).toHaveCount(0)
    // Parts that are still loading would be reported as missing.
    await page.goto('about:blank')
    await server.stop()
  })

  test('signing out leads to the configured page', async ({ page }, { project }) => {
    const server = await startServer({ base: project.metadata.base })
    const { db } = await openDb(server.database)
    await writeAuthSettings(db, AuthSettings.parse({ logoutPage: `${project.metadata.base}/health` }))
    await db.destroy()
    const app = new App(page, server.url)
    await app.open('/login')
    await app.logIn(server.adminPassword)
    await app.isAt('/files/')
    await app.logOut()
    await app.isAt('/health')
    // Parts that are still loading would be reported as missing.
    await page.goto('about:blank')
    await server.stop()
  })
})

async function writeImage({ root }: OwnServer): Promise<void> {
  const image = sharp({ create: { width: 40, height: 30, channels: 3, background: '#2a7' } })
  await writeFile(join(root, 'photo.png'), await image.png().toBuffer())
}

test('the page says that moving copies, where the files are in a bucket', async ({ app, page, corner }) => {
  // The page's behaviour can be tested without a bucket.
  await page.route(/\/files\//, async route => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"MovesByCopy":false', '"MovesByCopy":true')
    await route.fulfill({ response: answer, body })
  })
  await writeFile(join(corner.disk, 'a.txt'), '')
  await app.openFolder(corner.path)
  const hint = page.getByText('On this storage, moving and renaming copies the data, so large items take a while.')
  for (const action of ['Rename', 'Move to…']) {
    await app.row('a.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: action }).click()
    await expect(hint).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(hint).toHaveCount(0)
  }
})

test('rows have the height chosen in this browser', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.txt'), '')
  await app.openFolder(corner.path)
  const height = () => app.row('a.txt').evaluate(row => row.getBoundingClientRect().height)
  await expect.poll(height).toBe(40)
  await app.open('/settings/profile')
  await page.getByLabel('Row height', { exact: true }).selectOption('Compact')
  await app.openFolder(corner.path)
  await expect.poll(height).toBe(32)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })

  test('pulling a listing down refreshes it', async ({ app, page, corner }) => {
    await writeFile(join(corner.disk, 'a.txt'), '')
    await app.openFolder(corner.path)
    await app.atRest()
    await writeFile(join(corner.disk, 'b.txt'), '')
    const { x, y } = (await app.row('a.txt').boundingBox()) ?? { x: 0, y: 0 }
    const session = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove', by: number) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: x + 150, y: y + 20 + by }] })
    await touch('touchStart', 0)
    for (const by of [20, 60, 100, 140]) await touch('touchMove', by)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect(app.row('b.txt')).toBeVisible()
  })
})
