import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from './app.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic, fill } from './axe.ts'
import { type Corner, expect, test } from './fixtures.ts'

/** What the actions of a listing show, each with the way to it. */
const SCREENS: Record<string, (app: App, corner: Corner) => Promise<void>> = {
  'the field for a new name': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.row('photo.jpg').click()
    await app.page.keyboard.press('F2')
    await app.naming.getByLabel('New name').fill('..')
    await app.page.keyboard.press('Enter')
    await expect(app.naming.getByText("A name can't be “.” or “..”.")).toBeVisible()
  },
  'the choice of a destination': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await remembered(app, [`${corner.path}/Documents`, '/'])
    await app.row('photo.jpg').click()
    await moveTo(app)
    await app.dialog.getByRole('treeitem', { name: 'Documents' }).click()
    await app.dialog.getByRole('button', { name: 'New folder' }).click()
    await app.page.keyboard.type('a/b')
    await app.page.keyboard.press('Enter')
    await expect(app.dialog.getByText("A name can't contain “/”.")).toBeVisible()
  },
  'the choice of an archive': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.page.keyboard.press('Control+s')
    await expect(app.button('zip')).toBeVisible()
  },
  'the question about names that are taken': async (app, corner) => {
    await fill(corner)
    await mkdir(join(corner.disk, 'Documents/Bilder 😀'))
    await writeFile(join(corner.disk, 'Documents/note.md'), 'old')
    await app.openFolder(corner.path)
    await app.row('note.md').click()
    await app.row('Bilder 😀').click({ modifiers: ['Control'] })
    await app.page.keyboard.press('Control+c')
    await app.row('Documents').dblclick()
    await expect(app.page.getByRole('grid', { name: 'Files in Documents' })).toBeVisible()
    await app.page.keyboard.press('Control+v')
    await expect(app.dialog.getByRole('combobox')).toHaveCount(2)
  },
  'a list of failures': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.page.route(
      url => url.pathname.endsWith('/note.md'),
      route => route.abort(),
    )
    await app.row('note.md').click()
    await app.deleteByKey()
    await expect(app.button('Retry')).toBeVisible()
  },
  'the details of a file': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.row('note.md').click()
    await app.page.keyboard.press('Control+i')
    await app.button('Calculate MD5').click()
    await expect(app.button('Copy MD5')).toBeVisible()
  },
  'the details of several things': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.page.keyboard.press('Control+a')
    await app.page.keyboard.press('Control+i')
    await expect(app.page.getByText(/B total$/)).toBeVisible()
  },
  'a filtered folder': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.page.keyboard.press('/')
    await app.page.keyboard.type('p')
    await expect(app.row('note.md')).toHaveCount(0)
  },
  'a filter that finds nothing': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.page.keyboard.press('/')
    await app.page.keyboard.type('nothing like it')
    await expect(app.page.getByText('No items match “nothing like it”')).toBeVisible()
  },
}

async function moveTo(app: App): Promise<void> {
  await app.row('photo.jpg').click({ button: 'right' })
  await app.page.getByRole('menuitem', { name: 'Move to…' }).click()
  await expect(app.dialog.getByRole('tree')).toBeVisible()
}

/** As if a file had been moved there before. */
const remembered = (app: App, folders: readonly string[]) =>
  app.page.evaluate(list => {
    const token = localStorage.getItem('jwt')?.split('.')[1] ?? ''
    const { user } = JSON.parse(atob(token.replaceAll('-', '+').replaceAll('_', '/')))
    localStorage.setItem(`filigree.recent.${user.id}`, JSON.stringify(list))
  }, folders)

for (const [name, reach] of Object.entries(SCREENS)) {
  test(`${name} has no axe violations, in light and dark, and on a phone in Arabic`, async ({
    app,
    page,
    corner,
    token,
  }) => {
    await reach(app, corner)
    await expectAccessibleInBoth(page)
    await expectFineOnAPhoneAndInArabic(app, token)
  })
}
