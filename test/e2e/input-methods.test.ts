import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, perm } from '../api/accounts.ts'
import { login } from '../api/client.ts'
import { linkTo } from '../api/links-client.ts'
import { expectAccessible } from './axe.ts'
import { becomeOther, expect, test } from './fixtures.ts'

test('with the keyboard alone a language is chosen, a conflict resolved, and a password changed', async ({
  app,
  page,
  corner,
  server,
}) => {
  const { token, name } = await newcomer(server, await manager(server), {
    scope: corner.path,
    perm: perm('create', 'delete', 'download', 'modify', 'rename'),
  })
  await becomeOther(page, token)
  await mkdir(join(corner.disk, 'to'))
  for (const folder of ['', 'to']) await writeFile(join(corner.disk, folder, 'a.txt'), `in ${folder}`)
  const { keyboard } = page
  await app.openFolder('')

  await app.button(`Account: ${name}`).focus()
  await keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await keyboard.type('Language')
  await keyboard.press('ArrowRight')
  await expect(app.choice('Deutsch')).toBeVisible()
  await keyboard.type('Deutsch')
  await keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(app.button(`Konto: ${name}`)).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await keyboard.type('Sprache')
  await keyboard.press('ArrowRight')
  await expect(app.choice('English')).toBeVisible()
  await keyboard.type('English')
  await keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')

  await app.grid.getByRole('row').last().focus()
  await keyboard.press('End')
  await keyboard.press('Control+c')
  await keyboard.press('Home')
  await keyboard.press('Enter')
  await expect(app.row('to')).toHaveCount(0)
  await expect(app.row('a.txt')).toBeVisible()
  await keyboard.press('Control+v')
  await expect(app.button('Continue')).toBeFocused()
  await keyboard.press('Shift+Tab')
  await keyboard.press('Shift+Tab')
  await expect(app.dialog.getByLabel('Action for a.txt')).toBeFocused()
  await keyboard.type('Replace')
  await expect(app.dialog.getByLabel('Action for a.txt')).toHaveValue('replace')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await expect(app.button('Continue')).toBeFocused()
  await keyboard.press('Enter')
  await expect.poll(() => readFile(join(corner.disk, 'to/a.txt'), 'utf8')).toBe('in ')

  await app.open('/settings/security')
  await page.getByLabel('New password', { exact: true }).focus()
  await keyboard.type(OTHER_PASSWORD)
  await page.getByLabel('Confirm new password').focus()
  await keyboard.type(OTHER_PASSWORD)
  await keyboard.press('Enter')
  await expect(page.getByText('Password updated')).toBeVisible()
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(403)
})

test('Escape cancels a menu that is loading, a folder that is loading accepts a paste, and loading can be retried', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'one'))
  await writeFile(join(corner.disk, 'copied.txt'), '')
  let letThrough = () => {}
  const held = new Promise<void>(resolve => {
    letThrough = resolve
  })
  await page.route(/\/static\/.*(?:context-menu|menu)-.*\.js$/, async route => {
    await held
    await route.continue()
  })
  await app.openFolder(corner.path)
  await app.row('one').click({ button: 'right' })
  await page.keyboard.press('Escape')
  letThrough()
  await app.row('one').click()
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toBeVisible()
  await expect(page.getByRole('menu')).toHaveCount(0)

  let asked = 0
  await page.route('**/api/resources/**/one/', route => {
    asked += 1
    if (asked > 1) return route.continue()
  })
  await app.row('copied.txt').click()
  await page.keyboard.press('Control+c')
  await app.row('one').dblclick()
  await app.isAt(`/files${corner.path}/one/`)
  await page.keyboard.press('Control+v')
  await expect.poll(() => readdir(join(corner.disk, 'one'))).toEqual(['copied.txt'])
  await expect(page.getByText('Still waiting for the server…')).toBeVisible()
  await app.button('Retry').click()
  await expect(app.row('copied.txt')).toBeVisible()
})

test('with the mouse a deletion is scheduled, the progress ring opens it, and the help is found', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'kept.txt'), '')
  await app.openFolder(corner.path)
  await app.row('kept.txt').click()
  await page.keyboard.press('Shift+Delete')
  await app.dialog.getByRole('button', { name: 'Later…' }).click()
  await app.dialog.getByRole('button', { name: 'Tomorrow at 8 AM' }).click()
  await app.dialog.getByRole('button', { name: 'Schedule' }).click()
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await page.getByRole('banner').getByRole('button', { name: /^Jobs/ }).click()
  await expect(jobs).toContainText('1 scheduled job')
  await expect(jobs.getByRole('button', { name: 'Show less' })).toBeFocused()
  await jobs.getByRole('button', { name: 'Cancel: Deleting kept.txt' }).click()
  await jobs.getByRole('button', { name: 'Dismiss: Deleting kept.txt' }).click()
  await expect(jobs.getByText('Deleting kept.txt')).toHaveCount(0)
  await app.button('Help').click()
  await expect(app.dialog.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test.describe('with motion', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('a deleted row fades, and the rows below it move up', async ({ app, page, corner }) => {
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(corner.disk, name), '')
    await app.openFolder(corner.path)
    await page.evaluate(() => {
      const seen: string[] = []
      Object.assign(globalThis, { seen })
      const animate = Element.prototype.animate
      Element.prototype.animate = function (frames, options) {
        seen.push(`${this.querySelector('input')?.ariaLabel} ${JSON.stringify(frames)}`)
        return animate.call(this, frames, options)
      }
    })
    await app.row('a.txt').click()
    await app.deleteByKey()
    await expect.poll(() => app.names()).toEqual(['b.txt', 'c.txt'])
    const seen = () => page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.join('\n'))
    await expect.poll(seen).toMatch(/Select b\.txt \[{"translate":"0px 40px"}/)
    expect(await seen()).toMatch(/Select a\.txt {"opacity":\[1,0\]}/)
    await expect(app.grid.locator('[inert]')).toHaveCount(0)
  })
})

test.describe('by touch on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a folder is sorted and filtered, and a move is undone', async ({ app, page, corner }) => {
    await mkdir(join(corner.disk, 'folder'))
    for (const [name, size] of [
      ['large.txt', 9],
      ['middle.txt', 5],
      ['small.txt', 1],
    ] as const)
      await writeFile(join(corner.disk, name), 'x'.repeat(size))
    await app.openFolder(corner.path)
    await app.button('Actions').tap()
    await page.getByRole('menuitem', { name: 'Sort' }).tap()
    await app.choice('Size, smallest first').tap()
    await expect.poll(() => app.names()).toEqual(['folder', 'small.txt', 'middle.txt', 'large.txt'])

    await app.button('Actions').tap()
    await page.getByRole('menuitem', { name: /^Filter/ }).tap()
    await page.getByLabel('Filter this folder').fill('mid')
    await expect.poll(() => app.names()).toEqual(['middle.txt'])
    await app.button('Close filter').tap()
    await expect(app.rows).toHaveCount(4)

    await app.row('small.txt').getByRole('button', { name: 'Actions for small.txt' }).tap()
    await page.getByRole('menuitem', { name: /^Move to/ }).tap()
    await app.dialog.getByRole('treeitem', { name: 'folder' }).tap()
    await app.dialog.getByRole('button', { name: 'Move', exact: true }).tap()
    await expect.poll(() => readdir(join(corner.disk, 'folder'))).toEqual(['small.txt'])
    await app.button('Undo').tap()
    await expect.poll(() => readdir(join(corner.disk, 'folder'))).toEqual([])
  })

  test('a deletion is scheduled, the language is changed, and a link with a password is opened', async ({
    app,
    page,
    corner,
    server,
    token,
  }) => {
    await writeFile(join(corner.disk, 'kept.txt'), 'kept')
    const other = await newcomer(server, await manager(server), {
      scope: corner.path,
      perm: perm('create', 'delete', 'download', 'modify', 'rename'),
    })
    await becomeOther(page, other.token)
    await app.openFolder('')
    await app.row('kept.txt').getByRole('button', { name: 'Actions for kept.txt' }).tap()
    await page.getByRole('menuitem', { name: /^Delete permanently/ }).tap()
    await app.dialog.getByRole('button', { name: 'Later…' }).tap()
    await app.dialog.getByRole('button', { name: 'Tomorrow at 8 AM' }).tap()
    await app.dialog.getByRole('button', { name: 'Schedule' }).tap()
    const jobs = page.getByRole('region', { name: 'Jobs' })
    await page.getByRole('banner').getByRole('button', { name: 'Jobs · 1 scheduled job' }).tap()
    await jobs.getByRole('button', { name: 'Cancel: Deleting kept.txt' }).tap()
    await jobs.getByRole('button', { name: 'Dismiss: Deleting kept.txt' }).tap()
    await expect(jobs).toHaveCount(0)

    await app.button('Clear selection').tap()
    await app.button(`Account: ${other.name}`).tap()
    await page.getByRole('menuitem', { name: 'Language' }).tap()
    await app.choice('العربية').tap()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')

    const { hash } = await linkTo(server, token, `${corner.path}/kept.txt`, { password: 'copper anvil' })
    await app.open(`/share/${hash}`)
    await page.locator('input[type=password]').fill('copper anvil')
    await page.locator('form button[type=submit]').tap()
    await expect(page.getByText('kept', { exact: true })).toBeVisible()
  })

  test('conflicts of a scheduled move are decided one by one', async ({ app, page, corner }) => {
    const names = ['both.txt', 'newer.txt', 'skipped.txt']
    for (const top of ['.', 'to']) {
      await mkdir(join(corner.disk, top, 'trip'), { recursive: true })
      for (const name of names) await writeFile(join(corner.disk, top, 'trip', name), `${name} from ${top}`)
    }
    await page.route('**/api/jobs', (route, request) => {
      if (request.method() !== 'POST') return route.fallback()
      return route.continue({
        postData: JSON.stringify({ ...request.postDataJSON(), runAt: new Date().toISOString() }),
      })
    })
    await app.openFolder(corner.path)
    await app.row('trip').getByRole('button', { name: 'Actions for trip' }).tap()
    await page.getByRole('menuitem', { name: /^Move to/ }).tap()
    await app.dialog.getByRole('treeitem', { name: 'to', exact: true }).tap()
    await app.dialog.getByRole('button', { name: 'Later…' }).tap()
    await expect(app.dialog).toContainText('4 items already exist')
    await expectAccessible(page)
    const choice = (name: string) => app.dialog.getByLabel(`Action for ${name}`, { exact: true })
    const choose = (name: string, what: string) => choice(name).selectOption(what)
    await app.dialog.getByLabel('If an item with the same name exists').selectOption('Replace')
    await choose('trip/both.txt', 'Keep both')
    await choose('trip/skipped.txt', 'Skip')
    await expect(choice('trip').locator('option:checked')).toHaveText('Merge')
    await expect(choice('trip/newer.txt')).toHaveValue('replace')
    const { width } = page.viewportSize() ?? { width: 0 }
    for (const name of names) {
      const box = await choice(`trip/${name}`).boundingBox()
      expect(box?.height).toBeGreaterThanOrEqual(44)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    }
    await app.dialog.getByRole('button', { name: 'Schedule' }).tap()
    await expect(app.dialog).toHaveCount(0)
    const trip = join(corner.disk, 'to/trip')
    await expect
      .poll(async () => (await readdir(trip)).sort())
      .toEqual(['both(1).txt', 'both.txt', 'newer.txt', 'skipped.txt'])
    const content = (name: string) => readFile(join(trip, name), 'utf8')
    await expect.poll(() => content('newer.txt')).toBe('newer.txt from .')
    expect(await content('both.txt')).toBe('both.txt from to')
    expect(await content('skipped.txt')).toBe('skipped.txt from to')
    await expect.poll(() => readdir(join(corner.disk, 'trip'))).toEqual(['skipped.txt'])
  })
})
