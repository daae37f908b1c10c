import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible, expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect } from './fixtures.ts'
import { choose, DATE, makeFile, network, slowDown, test } from './sending.ts'

test('with the keyboard alone files and a folder are chosen, paused, resumed and cancelled', async ({
  app,
  page,
  corner,
  local,
}) => {
  await mkdir(join(local, 'trip/day'), { recursive: true })
  await writeFile(join(local, 'trip/day/one.txt'), 'one')
  await makeFile(join(local, 'big.bin'), 30_000_000)
  await app.openFolder(corner.path)
  const folder = page.waitForEvent('filechooser')
  await page.keyboard.press('Alt+u')
  await expect(app.dialog.getByRole('button', { name: /^Files/ })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(app.dialog.getByRole('button', { name: /^Folder/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await (await folder).setFiles(join(local, 'trip'))
  await expect(app.row('trip')).toBeVisible()
  expect(await readFile(join(corner.disk, 'trip/day/one.txt'), 'utf8')).toBe('one')

  await slowDown(await network(page), 1_000_000)
  const files = page.waitForEvent('filechooser')
  await page.keyboard.press('Alt+u')
  await expect(app.dialog.getByRole('button', { name: /^Files/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await (await files).setFiles(join(local, 'big.bin'))
  await expect(app.uploads).toContainText('big.bin')
  await expect(app.dialog).toHaveCount(0)
  const isIn = () => app.uploads.evaluate(panel => panel.contains(document.activeElement))
  for (let step = 0; step < 6 && !(await isIn()); step += 1) await page.keyboard.press('F6')
  const button = (name: string) => app.uploads.getByRole('button', { name })
  const has = (name: string) => button(name).evaluate(element => element === document.activeElement)
  for (let step = 0; step < 10 && !(await has('Pause big.bin')); step += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(button('Resume big.bin')).toBeFocused()
  await expect(app.uploads).toContainText('Paused')
  await page.keyboard.press('Enter')
  await expect(button('Pause big.bin')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button('Cancel big.bin')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app.uploads).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual(['trip'])
})

test('the panel has no axe violations while uploads run, wait, fail and need a decision', async ({
  app,
  page,
  corner,
  local,
  token,
}) => {
  const names = ['a running.bin', 'b paused.bin', 'c refused.bin', 'd taken.txt', 'e done.txt']
  for (const name of names) await makeFile(join(local, name), name.endsWith('bin') ? 4_000_000 : 10)
  await writeFile(join(corner.disk, 'd taken.txt'), 'old')
  await page.route('**/c%20refused.bin?*', route =>
    route.fulfill({ status: 507, headers: { 'X-Error-Code': 'no_space' } }),
  )
  await app.openFolder(corner.path)
  await slowDown(await network(page), 50_000)
  await choose(
    app,
    'Files',
    names.map(name => join(local, name)),
  )
  await expect(app.dialog).toContainText('1 file already exists')
  await page.keyboard.press('Escape')
  await app.uploads.getByRole('button', { name: 'Pause b paused.bin' }).click()
  for (const text of ['Paused', 'There is no space left', 'Already exists', 'of 3.8']) {
    await expect(app.uploads).toContainText(text)
  }
  await expectAccessibleInBoth(page)
  await app.uploads.getByRole('button', { name: 'Pause all' }).click()
  await expect(app.uploads).toContainText('Paused.')
  await expectAccessible(page)
  await expectFineOnAPhoneAndInArabic(app, token)
})

test.describe('by touch on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('conflicts of uploads and of copies are decided one by one and for all', async ({
    app,
    page,
    corner,
    local,
  }) => {
    await mkdir(join(corner.disk, 'to'))
    for (const name of ['a.txt', 'b.txt', 'c.txt']) {
      await writeFile(join(local, name), `new ${name}`)
      for (const folder of ['', 'to']) await writeFile(join(corner.disk, folder, name), 'old')
    }
    await utimes(join(corner.disk, 'to/b.txt'), DATE, DATE)
    await app.openFolder(corner.path)
    await app.button('New').tap()
    const chooser = page.waitForEvent('filechooser')
    await page
      .getByRole('menuitem', { name: /^Upload/ })
      .first()
      .tap()
    await (await chooser).setFiles(['a.txt', 'b.txt', 'c.txt'].map(name => join(local, name)))
    await expect(app.dialog).toContainText('3 files already exist')
    await app.dialog.getByLabel('Apply to all 3 items').selectOption('Skip')
    await app.dialog.getByLabel('Action for b.txt').selectOption('Replace')
    await app.button('Continue').tap()
    await expect(app.uploads).toContainText('1 file uploaded to')
    await expect(app.uploads).toContainText('2 skipped')
    expect(await readFile(join(corner.disk, 'a.txt'), 'utf8')).toBe('old')
    expect(await readFile(join(corner.disk, 'b.txt'), 'utf8')).toBe('new b.txt')

    await app.row('b.txt').getByRole('button', { name: 'Actions for b.txt' }).tap()
    await page.getByRole('menuitem', { name: 'Copy to…' }).tap()
    await app.dialog.getByRole('treeitem', { name: 'to', exact: true }).tap()
    await app.dialog.getByRole('button', { name: 'Copy', exact: true }).tap()
    await app.dialog.getByLabel('Action for b.txt').selectOption('Replace if newer')
    await app.button('Continue').tap()
    await expect.poll(() => readFile(join(corner.disk, 'to/b.txt'), 'utf8')).toBe('new b.txt')
  })
})
