import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { GOOD_PASSWORD, manager, newcomer, perm } from '../wire/accounts.ts'
import { linkTo } from '../wire/links-client.ts'
import { ANONYMOUS, becomeOther, expect, test } from './fixtures.ts'
import { textsOf } from './texts.ts'

test.use({ storageState: ANONYMOUS })

const ALL = perm('create', 'rename', 'modify', 'delete', 'share', 'download')

const SPOKEN = [
  { code: 'en', tag: 'en', dir: 'ltr' },
  { code: 'ar', tag: 'ar', dir: 'rtl' },
  { code: 'de', tag: 'de', dir: 'ltr' },
  { code: 'ja', tag: 'ja', dir: 'ltr' },
] as const

const isIn = async (page: Page, tag: string, dir: string) => {
  await expect(page.locator('html')).toHaveAttribute('lang', tag)
  await expect(page.locator('html')).toHaveAttribute('dir', dir)
}

for (const { code, tag, dir } of SPOKEN) {
  test.describe(`a browser that speaks ${code}`, () => {
    test.use({ locale: tag })

    test('logs in, makes a folder, renames and deletes it in that language', async ({ app, page, server, corner }) => {
      const text = textsOf(code)
      const { name: username } = await newcomer(server, await manager(server), { locale: '', perm: ALL })
      await app.open(`/files${corner.path}/`)
      await expect(page).toHaveTitle(`${text('auth.title')} - Filigree`)
      await isIn(page, tag, dir)
      await page.getByLabel(text('auth.username')).fill(username)
      await page.getByLabel(text('auth.password'), { exact: true }).fill('no')
      await app.button(text('auth.submit')).click()
      await expect(page.getByRole('alert').filter({ hasText: text('auth.wrongCredentials') })).toBeVisible()
      await page.getByLabel(text('auth.password'), { exact: true }).fill(GOOD_PASSWORD)
      await app.button(text('auth.submit')).click()
      await expect(page.getByText(text('files.empty'))).toBeVisible()

      await app.button(text('nav.new')).first().click()
      await page.getByRole('menuitem', { name: text('actions.newFolder') }).click()
      await app.dialog.getByRole('textbox').fill('a/b')
      await app.dialog.getByRole('button', { name: text('files.folderCreate'), exact: true }).click()
      await expect(app.dialog.getByText(text('files.nameSlash'))).toBeVisible()
      await app.dialog.getByRole('textbox').fill('One')
      await page.keyboard.press('Enter')
      const row = (name: string) => app.rows.filter({ hasText: name })
      await expect(row('One')).toBeVisible()
      await app.isAt(`/files${corner.path}/`)

      await row('One').click()
      await expect(page.getByText(text('files.selected', { count: 1 })).first()).toBeVisible()
      await page.keyboard.press('F2')
      await page.getByRole('textbox', { name: text('naming.newName') }).fill('Two')
      await page.keyboard.press('Enter')
      await expect(row('Two')).toBeVisible()

      await row('Two').click()
      await page.keyboard.press('Delete')
      await expect(page.getByRole('alertdialog', { name: text('files.deleteOne', { name: 'Two' }) })).toBeVisible()
      await app.dialog.getByRole('button', { name: text('files.deleteConfirm'), exact: true }).click()
      await expect(page.getByText(text('files.empty'))).toBeVisible()
      await expect.poll(() => readdir(corner.disk)).toEqual([])
    })
  })
}

test('changing the language needs no reload and keeps the place, there and back', async ({
  app,
  page,
  server,
  corner,
}) => {
  await writeFile(join(corner.disk, 'note.txt'), 'x')
  const { token } = await newcomer(server, await manager(server), { perm: ALL })
  await becomeOther(page, token)
  await app.open('/settings/profile')
  await page.getByLabel('New password', { exact: true }).fill('typed-but-not-saved')
  await page.evaluate(() => document.body.setAttribute('data-still', ''))
  const language = (from: string) => page.getByLabel(textsOf(from)('fields.language'), { exact: true })
  let now = 'en'
  for (const [code, tag, dir] of [
    ['ar', 'ar', 'rtl'],
    ['zh-tw', 'zh-Hant-TW', 'ltr'],
    ['de', 'de', 'ltr'],
    ['en', 'en', 'ltr'],
  ] as const) {
    const text = textsOf(code)
    await language(now).selectOption(code)
    const update = page.getByRole('button', { name: textsOf(now)('fields.update'), exact: true }).first()
    await update.focus()
    await page.keyboard.press('Enter')
    await isIn(page, tag, dir)
    await expect(page.getByRole('heading', { level: 1, name: text('titles.profile') })).toBeVisible()
    await expect(page).toHaveTitle(`${text('titles.profile')} - Filigree`)
    await expect(page.getByLabel(text('settings.newPassword'), { exact: true })).toHaveValue('typed-but-not-saved')
    now = code
  }
  await expect(page.locator('body')).toHaveAttribute('data-still', '')
})

test.describe('in the language nobody speaks', () => {
  test.use({ locale: 'ar-XB' })

  test('no text was left out', async ({ app, page, server, corner }) => {
    await writeFile(join(corner.disk, '1.txt'), 'x')
    const { token } = await newcomer(server, await manager(server), { locale: '', perm: ALL })
    const { hash } = await linkTo(server, token, corner.path)
    const isComplete = () => expect.poll(() => leftOut(page, ['Filigree', corner.name, '1.txt'])).toEqual([])
    await app.open('/login')
    await isIn(page, 'ar-XB', 'rtl')
    await isComplete()
    await becomeOther(page, token)
    for (const address of [
      '/settings/profile',
      '/settings/shares',
      '/404',
      `/share/${hash}`,
      `/files${corner.path}/`,
    ]) {
      await app.open(address)
      await expect(page.getByRole('heading', { level: 1 }).or(app.grid).first()).toBeVisible()
      await isComplete()
    }
    await app.rows.first().click()
    await isComplete()
    for (const keys of ['Control+k', 'Delete', 'F1']) {
      await page.keyboard.press(keys)
      await expect(app.dialog).toBeVisible()
      await isComplete()
      await page.keyboard.press('Escape')
      await expect(app.dialog).toHaveCount(0)
    }
  })
})

/** Names of buttons, links and fields, and headings, that are in English and no names. */
function leftOut(page: Page, names: string[]): Promise<string[]> {
  return page.evaluate(known => {
    const found = [...document.querySelectorAll('button, a, label, h1, h2, h3, th, [role=columnheader], [aria-label]')]
    const texts = found
      .filter(element => !element.closest('bdi, select, [translate=no]') && !element.querySelector('bdi, select'))
      .map(element => element.getAttribute('aria-label') ?? element.textContent ?? '')
    return texts.filter(text => /[A-Za-z]{3}/.test(text) && !text.includes('[') && !known.includes(text))
  }, names)
}
