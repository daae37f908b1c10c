import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('while the server is unreachable changes wait, and pages opened then load when it is back', async ({
  app,
  page,
  corner,
  complaints,
}) => {
  await mkdir(join(corner.disk, 'one'))
  await writeFile(join(corner.disk, 'one/inside.txt'), '')
  await app.openFolder(corner.path)
  // The tooltip comes with what is loaded after the first screen.
  await expect(page.locator('[popover="manual"][aria-hidden="true"]')).toBeAttached()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await app.row('one').click()
  await expect(bar).toBeVisible()
  await app.button('Clear selection').click()
  await page.route('**/*', route => route.abort())
  await app.button('Refresh').click()
  await expect(page.getByText('Offline – showing what was loaded')).toBeVisible()
  await app.row('one').click()
  const remove = bar.getByRole('button', { name: /^Delete(?! perm)/ })
  await expect(remove).toHaveAttribute('aria-disabled', 'true')
  await remove.hover()
  await expect(page.getByText('No connection')).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(app.dialog).toHaveCount(0)

  await app.row('one').dblclick()
  await expect(page.getByText('The server is not reachable.')).toBeVisible()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('main').getByText('Loading chunk failed')).toBeVisible()
  await page.goBack()
  await expect(page.getByText('The server is not reachable.')).toBeVisible()
  // A chunk that fails to load is also logged to the console.
  complaints.length = 0
  await page.unroute('**/*')
  await expect(app.row('inside.txt')).toBeVisible()
  await app.row('inside.txt').click()
  await expect(remove).not.toHaveAttribute('aria-disabled')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
})

test('a part loads when the server is back, though what it shares with others failed to load before', async ({
  app,
  page,
  corner,
  complaints,
}) => {
  const file = '**/assets/menu-*.js'
  await page.route(file, route => route.abort())
  const failed = page.waitForEvent('requestfailed', request => request.url().includes('/assets/menu-'))
  await app.openFolder(corner.path)
  await failed
  await page.unroute(file)
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'New folder' })).toBeVisible()
  // A chunk that fails to load is also logged to the console.
  complaints.length = 0
})
