import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { GOOD_PASSWORD, manager, newcomer, perm } from '../api/accounts.ts'
import { linkTo } from '../api/links-client.ts'
import type { App } from './app.ts'
import { clippedIn } from './clipped.ts'
import { ANONYMOUS, becomeOther, type Corner, expect, test } from './fixtures.ts'
import { textsOf } from './texts.ts'

test.use({ storageState: ANONYMOUS })

const ALL = perm('create', 'rename', 'modify', 'delete', 'share', 'download')

const SPOKEN = [
  { code: 'en', tag: 'en', dir: 'ltr' },
  { code: 'ar', tag: 'ar', dir: 'rtl' },
  { code: 'de', tag: 'de', dir: 'ltr' },
  { code: 'ja', tag: 'ja', dir: 'ltr' },
] as const

const DESKTOP = { width: 1200, height: 760 }
const PHONE = { width: 390, height: 800 }

const isIn = async (page: Page, tag: string, dir: string) => {
  await expect(page.locator('html')).toHaveAttribute('lang', tag)
  await expect(page.locator('html')).toHaveAttribute('dir', dir)
}

/** A user who works in a language. */
interface Journey {
  app: App
  page: Page
  corner: Corner
  text: ReturnType<typeof textsOf>
}

const rowOf = (app: App, name: string) => app.rows.filter({ hasText: name })

async function logIn({ app, page, text }: Journey, username: string): Promise<void> {
  await expect(page).toHaveTitle(`${text('auth.title')} – Filigree`)
  await page.getByLabel(text('auth.username')).fill(username)
  await page.getByLabel(text('auth.password'), { exact: true }).fill('no')
  await app.button(text('auth.submit')).click()
  await expect(page.getByRole('alert').filter({ hasText: text('auth.wrongCredentials') })).toBeVisible()
  await page.getByLabel(text('auth.password'), { exact: true }).fill(GOOD_PASSWORD)
  await app.button(text('auth.submit')).click()
  await expect(page.getByText(text('files.empty'))).toBeVisible()
}

async function makeAndRenameFolder({ app, page, corner, text }: Journey): Promise<void> {
  await app.button(text('nav.new')).first().click()
  await page.getByRole('menuitem', { name: text('actions.newFolder') }).click()
  await app.naming.getByRole('textbox').fill('a/b')
  await page.keyboard.press('Enter')
  await expect(app.naming.getByText(text('files.nameSlash'))).toBeVisible()
  await app.naming.getByRole('textbox').fill('One')
  await page.keyboard.press('Enter')
  await expect(rowOf(app, 'One')).toBeVisible()
  await app.isAt(`/files${corner.path}/`)
  await rowOf(app, 'One').click()
  await expect(page.getByText(text('files.selected', { count: 1 })).first()).toBeVisible()
  await page.keyboard.press('F2')
  await page.getByRole('textbox', { name: text('naming.newName') }).fill('Two')
  await page.keyboard.press('Enter')
  await expect(rowOf(app, 'Two')).toBeVisible()
}

async function upload({ app, page, text }: Journey): Promise<void> {
  await page.keyboard.press('Alt+u')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    app.dialog
      .getByRole('button', { name: text('uploads.chooseFiles') })
      .first()
      .click(),
  ])
  await chooser.setFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('one') })
  // The row of a file that is still being uploaded has no check box, and does not open.
  await expect(rowOf(app, 'note.txt').getByRole('checkbox')).toBeAttached()
}

async function edit({ app, page, corner, text }: Journey): Promise<void> {
  await rowOf(app, 'note.txt').dblclick()
  await app.button(text('actions.edit')).click()
  await page.getByRole('textbox', { name: text('editor.text', { name: 'note.txt' }) }).fill('two')
  await app.button(text('fields.save')).click()
  await expect(page.getByText(text('fields.unsaved'))).toHaveCount(0)
  await expect.poll(() => readFile(join(corner.disk, 'note.txt'), 'utf8')).toBe('two')
  await app.button(text('actions.back')).click()
  await expect(rowOf(app, 'note.txt')).toBeFocused()
}

async function share({ app, page, text }: Journey): Promise<void> {
  await rowOf(app, 'note.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: text('actions.share') }).click()
  await expect(page.getByRole('dialog', { name: text('shares.title', { name: 'note.txt' }) })).toBeVisible()
  await app.dialog.getByRole('button', { name: text('shares.create') }).click()
  await expect(app.dialog.getByRole('textbox', { name: text('shares.link'), exact: true })).toHaveValue(/\/share\//)
  await app.dialog
    .getByRole('button', { name: text('common.close') })
    .first()
    .click()
  await expect(app.dialog).toHaveCount(0)
}

async function move({ app, page, corner, text }: Journey): Promise<void> {
  await rowOf(app, 'note.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: text('actions.moveTo') }).click()
  const tree = app.dialog.getByRole('tree', { name: text('picker.folders') })
  await tree.getByRole('treeitem', { name: 'Two', exact: true }).click()
  await app.dialog.getByRole('button', { name: text('picker.move'), exact: true }).click()
  await expect(page.getByText(text('transfer.movedTo', { count: 1, item: 'note.txt', name: 'Two' }))).toBeVisible()
  await expect.poll(() => readdir(join(corner.disk, 'Two'))).toEqual(['note.txt'])
}

async function remove({ app, page, corner, text }: Journey): Promise<void> {
  await rowOf(app, 'Two').click()
  await page.keyboard.press('Shift+Delete')
  await expect(page.getByRole('alertdialog', { name: text('trash.purgeOne', { name: 'Two' }) })).toBeVisible()
  await app.dialog.getByRole('button', { name: text('trash.purge'), exact: true }).click()
  await expect(page.getByText(text('files.empty'))).toBeVisible()
  await expect.poll(() => readdir(corner.disk)).toEqual([])
}

async function setUp({ app, page, text }: Journey): Promise<void> {
  await app.open('/settings/profile')
  await expect(page.getByRole('heading', { level: 1, name: text('titles.profile') })).toBeVisible()
  await page.getByRole('checkbox', { name: text('fields.hideDotfiles') }).check()
  await app.button(text('fields.update')).first().click()
  await expect(page.getByText(text('settings.updated'))).toBeVisible()
}

for (const { code, tag, dir } of SPOKEN) {
  test.describe(`a browser that speaks ${code}`, () => {
    test.use({ locale: tag })

    test('completes all daily tasks in that language', async ({ app, page, server, corner }) => {
      test.slow()
      const { name: username } = await newcomer(server, await manager(server), { locale: '', perm: ALL })
      const journey = { app, page, corner, text: textsOf(code) }
      await app.open(`/files${corner.path}/`)
      await isIn(page, tag, dir)
      await logIn(journey, username)
      for (const part of [makeAndRenameFolder, upload, edit, share, move, remove, setUp]) await part(journey)
      await isIn(page, tag, dir)
    })
  })
}

test('changing the language needs no reload and keeps the scroll position, there and back', async ({
  app,
  page,
  server,
  corner,
}) => {
  await writeFile(join(corner.disk, 'note.txt'), 'x')
  const { token } = await newcomer(server, await manager(server), { perm: ALL })
  await becomeOther(page, token)
  await app.open('/settings/profile')
  const typed = page.locator('input[type=search]')
  await typed.fill('typed-but-not-sent')
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
    await expect(page).toHaveTitle(`${text('titles.profile')} – Filigree`)
    await expect(typed).toHaveValue('typed-but-not-sent')
    now = code
  }
  await expect(page.locator('body')).toHaveAttribute('data-still', '')
})

test('a language changed elsewhere applies to an open dialog, and the input stays', async ({
  app,
  page,
  server,
  corner,
}) => {
  const admin = await manager(server)
  const { id, token } = await newcomer(server, admin, { perm: ALL })
  await becomeOther(page, token)
  // So that the server must be asked about the name.
  await page.route('**/api/events*', route => route.abort())
  await app.openFolder(corner.path)
  await page.keyboard.press('Alt+n')
  const field = app.naming.getByRole('textbox')
  await field.fill('taken')
  await admin.update(id, ['locale'], { locale: 'ja' })
  await writeFile(join(corner.disk, 'taken'), '')
  await page.keyboard.press('Enter')
  await isIn(page, 'ja', 'ltr')
  const text = textsOf('ja')
  await expect(app.naming.getByLabel(text('files.folderName'))).toBeVisible()
  await expect(field).toHaveValue('taken')
  await page.keyboard.press('Enter')
  await expect(app.naming.getByText(text('files.nameTaken', { name: 'taken' }))).toBeVisible()
})

test.describe('in the pseudo-locale', () => {
  test.use({ locale: 'ar-XB' })

  test('every text is translated and fits, on a desktop and on a phone', async ({ app, page, server, corner }) => {
    await writeFile(join(corner.disk, '1.txt'), 'x')
    const { token } = await newcomer(server, await manager(server), { locale: '', perm: ALL })
    const { hash } = await linkTo(server, token, corner.path)
    const isComplete = async () => {
      await expect.poll(() => leftOut(page, ['Filigree', corner.name, '1.txt'])).toEqual([])
      for (const size of [PHONE, DESKTOP]) {
        await page.setViewportSize(size)
        await expect.poll(() => clippedIn(page)).toEqual([])
      }
    }
    await app.open('/login')
    await isIn(page, 'ar-XB', 'rtl')
    await isComplete()
    await becomeOther(page, token)
    for (const address of [
      '/settings/profile',
      '/settings/security',
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
    for (const keys of ['Control+k', 'Shift+Delete', 'F1']) {
      await page.keyboard.press(keys)
      await expect(app.dialog).toBeVisible()
      await isComplete()
      await page.keyboard.press('Escape')
      await expect(app.dialog).toHaveCount(0)
    }
  })
})

/** Names of buttons, links and fields, and headings, that are in English and not proper names. */
function leftOut(page: Page, names: string[]): Promise<string[]> {
  return page.evaluate(known => {
    const found = [...document.querySelectorAll('button, a, label, h1, h2, h3, th, [role=columnheader], [aria-label]')]
    const texts = found
      .filter(element => !element.closest('bdi, select, [translate=no]') && !element.querySelector('bdi, select'))
      .map(element => element.getAttribute('aria-label') ?? element.textContent ?? '')
    return texts.filter(text => /[A-Za-z]{3}/.test(text) && !text.includes('[') && !known.includes(text))
  }, names)
}
