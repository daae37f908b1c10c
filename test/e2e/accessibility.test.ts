import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from '../api/client.ts'
import type { App } from './app.ts'
import {
  expectAccessible,
  expectAccessibleInBoth,
  expectFineOnAPhoneAndInArabic,
  expectNoSidewaysScroll,
  fill,
} from './axe.ts'
import { barriersIn } from './barriers.ts'
import { ANONYMOUS, type Corner, expect, test } from './fixtures.ts'
import { typeInstead } from './typing.ts'

/** Every screen and overlay, each with the way to it. */
const SCREENS: Record<string, (app: App, corner: Corner, token: string) => Promise<void>> = {
  'an empty folder': (app, corner) => app.openFolder(corner.path),
  'a folder': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await expect(app.row('photo.jpg')).toBeVisible()
  },
  'a folder with a selection': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.row('photo.jpg').click()
    await app.row('note.md').click({ modifiers: ['Control'] })
    await expect(app.page.getByRole('toolbar', { name: 'Selection' })).toBeVisible()
  },
  'a folder whose path is long': async (app, corner) => {
    await mkdir(join(corner.disk, 'one/two/three/four/five'), { recursive: true })
    await app.openFolder(`${corner.path}/one/two/three/four/five`)
  },
  'the menu of a row': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.row('photo.jpg').click({ button: 'right' })
    await expect(app.page.getByRole('menu')).toBeVisible()
  },
  'a folder as mosaic': (app, corner) => inView(app, corner, 'Mosaic'),
  'a folder as gallery': (app, corner) => inView(app, corner, 'Gallery'),
  'the menu of a folder and one at its side': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    const last = await app.rows.last().boundingBox()
    await app.page.mouse.click((last?.x ?? 0) + 150, (last?.y ?? 0) + (last?.height ?? 0) + 12, { button: 'right' })
    await app.page.getByRole('menuitem', { name: 'Sort' }).click()
    await expect(app.choice('Size, largest first')).toBeVisible()
  },
  'the palette': async (app, corner) => {
    await app.openFolder(corner.path)
    await app.page.keyboard.press('Control+k')
    await expect(app.dialog.getByRole('option').first()).toBeVisible()
  },
  'the account menu': async (app, corner) => {
    await app.openFolder(corner.path)
    await app.button('Account: admin').click()
    await expect(app.page.getByRole('menu')).toBeVisible()
  },
  'the languages of the account menu': async (app, corner) => {
    await app.openFolder(corner.path)
    await app.button('Account: admin').click()
    await app.page.getByRole('menuitem', { name: 'Language' }).click()
    await expect(app.choice('Deutsch')).toBeVisible()
  },
  'the prompt for an archive': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.row('photo.jpg').click({ button: 'right' })
    await app.page.getByRole('menuitem', { name: 'Compress…' }).click()
    await expect(app.dialog).toBeVisible()
  },
  'the field for a new folder': async (app, corner) => {
    await app.openFolder(corner.path)
    await app.page.keyboard.press('Alt+n')
    await app.naming.getByLabel('Folder name').fill('a/b')
    await app.page.keyboard.press('Enter')
    await expect(app.naming.getByText("A name can't contain “/”.")).toBeVisible()
  },
  'the prompt before deleting': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await app.page.keyboard.press('Control+a')
    await app.page.keyboard.press('Shift+Delete')
    await expect(app.dialog).toBeVisible()
  },
  'the upload prompt': async (app, corner) => {
    await app.openFolder(corner.path)
    await app.page.keyboard.press('Alt+u')
    await expect(app.dialog).toBeVisible()
  },
  'the help': async (app, corner) => {
    await app.openFolder(corner.path)
    await app.page.keyboard.press('F1')
    await expect(app.dialog).toBeVisible()
  },
  'the conflict prompt': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    await upload(app, 'photo.jpg', 100)
    await expect(app.dialog.getByRole('combobox')).toBeVisible()
  },
  'the upload panel': async (app, corner) => {
    await fill(corner)
    await app.openFolder(corner.path)
    const session = await app.page.context().newCDPSession(app.page)
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 100_000 }
    await session.send('Network.emulateNetworkConditions', slow)
    await upload(app, 'big.bin', 5_000_000)
    await expect(app.uploads).toBeVisible()
  },
  'a file without preview': async (app, corner) => {
    await fill(corner)
    await app.open(`/files${corner.path}/data`)
    await expect(app.page.getByRole('link', { name: 'Download' })).toBeVisible()
  },
  'an archive that is damaged': async (app, corner) => {
    await fill(corner)
    await app.open(`/files${corner.path}/archive.zip`)
    await expect(app.page.getByText("The file is damaged, or its type doesn't match its name.")).toBeVisible()
    await expect(app.page.getByRole('link', { name: 'Download' })).toBeVisible()
  },
  'a picture': async (app, corner) => {
    await fill(corner)
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400"/></svg>'
    await writeFile(join(corner.disk, 'drawing.svg'), drawing)
    await app.open(`/files${corner.path}/drawing.svg`)
    await expect(app.button('Zoom in')).toBeVisible()
  },
  'a text with changes': async (app, corner) => {
    await writeFile(join(corner.disk, 'note.md'), 'text')
    await app.open(`/files${corner.path}/note.md?as=text`)
    await typeInstead(app.page, 'changed')
    await expect(app.page.getByText('Unsaved changes')).toBeAttached()
  },
  'a folder that is not there': async (app, corner) => {
    await app.open(`/files${corner.path}/missing/`)
    await expect(app.page.getByRole('heading', { name: "This location can't be reached." })).toBeVisible()
  },
  'the profile': async app => {
    await app.open('/settings/security')
    await app.page.getByLabel('New password', { exact: true }).fill('a')
    await app.page.getByLabel('Confirm new password').fill('b')
    await expect(app.page.getByText("Passwords don't match")).toBeVisible()
  },
  'the links of everybody': async (app, corner, token) => {
    await writeFile(join(corner.disk, 'shared.txt'), '')
    await call(app, `/api/share${corner.path}/shared.txt`, { method: 'POST', token, body: '{}' })
    await app.open('/settings/shares')
    await expect(app.page.getByRole('table')).toBeVisible()
  },
  'the settings of the instance': async app => {
    await app.open('/settings/global')
    await app.button('New rule').click()
    await app.page.getByLabel('Path of rule 1').fill('relative')
    await app.page.getByLabel('Try a path').fill('/a')
    await expect(app.page.getByText('Unsaved changes')).toBeVisible()
  },
  'the users': async app => {
    await app.open('/settings/users')
    await expect(app.page.getByRole('table')).toBeVisible()
  },
  'a new user with something missing': async app => {
    await app.open('/settings/users/new')
    await app.button('Create').click()
    await expect(app.page.getByText('Fix 2 problems')).toBeVisible()
  },
  'the prompt before deleting a user': async app => {
    await app.open('/settings/users/1')
    await app.button('Delete').click()
    await expect(app.dialog).toBeVisible()
  },
  'the prompt before something unsaved is lost': async app => {
    await app.open('/settings/users/1')
    await app.page.getByLabel('Scope').fill('/other')
    await app.page.getByRole('link', { name: 'Profile' }).click()
    await expect(app.dialog).toBeVisible()
  },
  'the form for a link': async (app, corner) => {
    await shareForm(app, corner, 'Documents')
    await app.dialog.getByLabel('Expires').selectOption('On a date…')
    await app.dialog.getByLabel('Expires on').fill('')
    await app.button('Create link').click()
    await expect(app.dialog.getByText('Please enter a date and a time.')).toBeVisible()
  },
  'the links to a file': (app, corner) => makeLink(app, corner, 'note.md').then(() => undefined),
  'a shared folder with a selection': async (app, corner) => {
    await app.page.goto(await makeLink(app, corner, 'Documents'))
    await app.button('Select').click()
    await app.row('draft.txt').click()
    await expect(app.button('Download selected')).toBeEnabled()
  },
  'a shared file': async (app, corner) => {
    await app.page.goto(await makeLink(app, corner, 'note.md'))
    await expect(app.page.getByRole('link', { name: 'Download' })).toBeVisible()
  },
  'the password of a link': async (app, corner) => {
    await app.page.goto(await makeLink(app, corner, 'note.md', 'secret'))
    await app.page.getByLabel('Password', { exact: true }).fill('wrong')
    await app.button('Open').click()
    await expect(app.page.getByText('Wrong credentials')).toBeVisible()
  },
  'a page that is not there': async app => {
    await app.open('/404')
    await expect(app.page.getByRole('heading', { level: 1 })).toBeVisible()
  },
  'the page of a refusal': async app => {
    await app.open('/403')
    await expect(app.page.getByRole('heading', { level: 1 })).toBeVisible()
  },
  'the page of a failure': async app => {
    await app.open('/500')
    await expect(app.page.getByRole('heading', { level: 1 })).toBeVisible()
  },
}

/** Opens the form for a share link to one of the files `fill` creates. */
async function shareForm(app: App, corner: Corner, name: string): Promise<void> {
  await fill(corner)
  await writeFile(join(corner.disk, 'Documents/draft.txt'), 'draft')
  await app.openFolder(corner.path)
  await app.row(name).click()
  await app.button('Share').click()
  await expect(app.dialog.getByLabel('Expires')).toBeFocused()
}

/** Creates a share link and returns its URL. */
async function makeLink(app: App, corner: Corner, name: string, password = ''): Promise<string> {
  await shareForm(app, corner, name)
  await app.dialog.getByLabel('Password', { exact: true }).fill(password)
  await app.button('Create link').click()
  const link = app.dialog.getByRole('textbox', { name: 'Link', exact: true })
  await expect(link).toBeFocused()
  return link.inputValue()
}

/** Shows a folder in a view. */
async function inView(app: App, corner: Corner, view: 'Mosaic' | 'Gallery'): Promise<void> {
  await fill(corner)
  await app.openFolder(corner.path)
  await app.page.keyboard.press(view === 'Mosaic' ? 'Control+Shift+Digit2' : 'Control+Shift+Digit3')
  await expect(app.grid.getByRole('columnheader')).toHaveCount(0)
  await app.row('photo.jpg').click()
}

async function upload(app: App, name: string, size: number): Promise<void> {
  await app.page.keyboard.press('Alt+u')
  const [chooser] = await Promise.all([
    app.page.waitForEvent('filechooser'),
    app.dialog.getByRole('button', { name: /^Files/ }).click(),
  ])
  await chooser.setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(size, 'x') })
}

for (const [name, reach] of Object.entries(SCREENS)) {
  test(`${name} has no axe violations, in light and dark, and on a phone in Arabic`, async ({
    app,
    page,
    corner,
    token,
  }) => {
    await reach(app, corner, token)
    await expectAccessibleInBoth(page)
    await expectFineOnAPhoneAndInArabic(app, token)
  })
}

test.describe('before the sign-in', () => {
  test.use({ storageState: ANONYMOUS })

  test('the sign-in page has no axe violations, in light and dark, and fits a phone', async ({ app, page }) => {
    await app.open('/login')
    await expect(page.getByLabel('Username')).toBeVisible()
    await expectAccessibleInBoth(page)
    await app.logIn('wrong')
    await expect(page.getByRole('alert').filter({ hasText: 'Wrong credentials' })).toBeVisible()
    await expectAccessibleInBoth(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectNoSidewaysScroll(page)
  })
})

test('the description of the API has no axe violations, and fits a phone', async ({ app, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${app.url}/docs/api`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('API')
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
})

test('a violation of the policy is detected on the pages of links, of files and of the sign-in', async ({
  app,
  page,
  corner,
  complaints,
}) => {
  await writeFile(join(corner.disk, 'data.bin'), Buffer.alloc(10))
  for (const address of [`/files${corner.path}/data.bin`, '/share/unknown', '/login']) {
    await app.open(address)
    await expect(page.locator('#loading')).toHaveCount(0)
    expect(complaints).toEqual([])
    await page.evaluate(() =>
      document.body.append(Object.assign(new Image(), { src: 'https://elsewhere.example/a.png' })),
    )
    await expect.poll(() => complaints.join()).toContain('policy: img-src')
    await page.evaluate(() => localStorage.clear())
    await page.context().clearCookies()
    complaints.length = 0
  }
})

test('axe detects a violation where there is one', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await page.evaluate(() => document.body.append(document.createElement('button')))
  const names = (await barriersIn(page)).map(({ id }) => id)
  expect(names).toContain('button-name')
})

test('the page follows the system’s colours and the visitor’s choice', async ({ app, page, corner }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  await app.openFolder(corner.path)
  const light = await background()
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).not.toBe(light)
  const dark = await background()
  await app.button('Account: admin').click()
  await app.choice('Light').click()
  await expect.poll(background).toBe(light)
  await page.reload()
  await app.settled()
  await expect.poll(() => background()).toBe(light)
  await page.emulateMedia({ colorScheme: 'light' })
  await app.button('Account: admin').click()
  await app.choice('Dark').click()
  await expect.poll(background).toBe(dark)
})

test.describe('on a window of 320 pixels', () => {
  test.use({ viewport: { width: 320, height: 640 } })

  test('the sidebar opens as a drawer and closes with Escape', async ({ app, page, corner }) => {
    await app.openFolder(corner.path)
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0)
    await app.button('Sidebar').click()
    await expect(page.getByRole('link', { name: 'Settings' })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0)
  })
})
