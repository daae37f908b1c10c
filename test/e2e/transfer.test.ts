import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { snapshot } from '../api/snapshot.ts'
import type { App } from './app.ts'
import { expect } from './fixtures.ts'
import { choose, network, sha256, slowDown, test } from './sending.ts'
import { makeTree } from './trees.ts'

/** Drops files and folders of the disk onto the page, as a user does with the mouse. */
async function drop(page: Page, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  const at = { x: 640, y: 400 }
  const step = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, ...at, data })
  await step('dragEnter')
  // What takes files is loaded after the first rows; a mouse moves until then.
  await expect(async () => {
    await step('dragOver')
    await expect(page.getByText(/^Drop to upload to/)).toBeVisible({ timeout: 500 })
  }).toPass()
  await step('drop')
}

/** The files on disk, without the permissions, which each side sets on its own. */
async function content(folder: string): Promise<Record<string, string>> {
  const entries = Object.entries(await snapshot(folder))
  return Object.fromEntries(entries.map(([path, what]) => [path, what.replace(/ \d+$/, '')]))
}

test('a file of 20 MB is uploaded and downloaded unchanged', async ({ app, page, corner, local }) => {
  const bytes = randomBytes(20_000_000)
  await writeFile(join(local, 'Größe 20 MB.bin'), bytes)
  await app.openFolder(corner.path)
  await choose(app, 'Files', join(local, 'Größe 20 MB.bin'))
  await expect(app.row('Größe 20 MB.bin')).toBeVisible()
  expect(sha256(await readFile(join(corner.disk, 'Größe 20 MB.bin')))).toBe(sha256(bytes))
  await expect.poll(() => readdir(corner.disk)).toEqual(['Größe 20 MB.bin'])

  await app.row('Größe 20 MB.bin').click()
  const [download] = await Promise.all([page.waitForEvent('download'), app.button('Download').click()])
  expect(download.suggestedFilename()).toBe('Größe 20 MB.bin')
  expect(sha256(await readFile(await download.path()))).toBe(sha256(bytes))
})

test('several files at once all arrive, and a summary of them stays', async ({ app, corner, local }) => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.bin`)
  for (const name of names) await writeFile(join(local, name), randomBytes(50_000))
  await app.openFolder(corner.path)
  await choose(
    app,
    'Files',
    names.map(name => join(local, name)),
  )
  await expect(app.row('11.bin')).toBeVisible()
  await expect(app.uploads).toContainText('12 files uploaded to')
  await app.uploads.getByRole('button', { name: 'Dismiss' }).click()
  await expect(app.uploads).toHaveCount(0)
  await expect.poll(() => content(corner.disk)).toEqual(await content(local))
})

test('a dropped folder arrives with everything in it, empty folders and all names', async ({
  app,
  page,
  corner,
  local,
}) => {
  await makeTree(join(local, 'dropped tree'))
  await mkdir(join(local, 'dropped tree/empty/emptier'), { recursive: true })
  await writeFile(join(local, 'beside.txt'), 'beside')
  await app.openFolder(corner.path)
  await drop(page, [join(local, 'dropped tree'), join(local, 'beside.txt')])
  await expect(app.row('dropped tree')).toBeVisible()
  await expect.poll(() => content(corner.disk), { timeout: 60_000 }).toEqual(await content(local))
})

test('a chosen folder arrives with everything in it', async ({ app, corner, local }) => {
  await makeTree(join(local, 'chosen'))
  await app.openFolder(corner.path)
  await choose(app, 'Folder', join(local, 'chosen'))
  await expect(app.row('chosen')).toBeVisible()
  await expect.poll(() => content(corner.disk), { timeout: 60_000 }).toEqual(await content(local))
})

test.describe('a file that is already there', () => {
  test.beforeEach(async ({ app, corner, local }) => {
    await writeFile(join(corner.disk, 'same.txt'), 'old')
    await writeFile(join(local, 'same.txt'), 'brand new')
    await app.openFolder(corner.path)
    await choose(app, 'Files', join(local, 'same.txt'))
    await expect(app.dialog).toContainText(
      "One of the files you're trying to upload is conflicting because of its name.",
    )
  })

  const decide = async (app: App, how: string) => {
    await app.dialog.getByRole('combobox').selectOption(how)
    await app.button('Continue').click()
    await expect(app.dialog).toHaveCount(0)
    await app.uploadsEnd()
  }

  test('is replaced if the visitor chooses so', async ({ app, corner }) => {
    await decide(app, 'Replace')
    await expect.poll(() => readFile(join(corner.disk, 'same.txt'), 'utf8')).toBe('brand new')
  })

  test('stays if the visitor skips it', async ({ app, corner }) => {
    await decide(app, 'Skip')
    await expect.poll(() => readFile(join(corner.disk, 'same.txt'), 'utf8')).toBe('old')
    await expect.poll(() => readdir(corner.disk)).toEqual(['same.txt'])
  })

  test('stays next to the new one if both are kept', async ({ app, corner }) => {
    await decide(app, 'Keep both')
    await expect.poll(async () => (await readdir(corner.disk)).length).toBe(2)
    await expect.poll(() => readFile(join(corner.disk, 'same.txt'), 'utf8')).toBe('old')
    await expect(app.row('same(1).txt')).toBeVisible()
    await expect.poll(() => readFile(join(corner.disk, 'same(1).txt'), 'utf8')).toBe('brand new')
  })
})

test('several selected files are downloaded one after the other', async ({ app, page, corner }) => {
  const names = ['a.bin', 'b.bin', 'c.bin']
  for (const name of names) await writeFile(join(corner.disk, name), `content of ${name}`)
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  const downloads: Promise<string>[] = []
  page.on('download', download => downloads.push(download.path().then(path => readFile(path, 'utf8'))))
  await app.button('Download').click()
  await app.dialog.getByRole('button', { name: 'As 3 separate files' }).click()
  await expect.poll(() => downloads.length).toBe(3)
  expect((await Promise.all(downloads)).sort()).toEqual(names.map(name => `content of ${name}`))
})

test('uploads are cancelled after a question, and leave nothing behind', async ({ app, page, corner, local }) => {
  await writeFile(join(local, 'big.bin'), randomBytes(30_000_000))
  await app.openFolder(corner.path)
  await slowDown(await network(page), 1_000_000)
  await choose(app, 'Files', join(local, 'big.bin'))
  await expect(app.uploads).toBeVisible()
  await expect.poll(async () => (await readdir(corner.disk)).length).toBeGreaterThan(0)
  const cancel = app.uploads.getByRole('button', { name: 'Cancel all' })
  const question = page.getByRole('alertdialog', { name: 'Cancel all uploads?' })
  await cancel.click()
  await expect(question.getByRole('button', { name: 'Keep uploading' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(app.uploads).toBeVisible()
  await cancel.click()
  await question.getByRole('button', { name: 'Cancel all' }).click()
  await expect(app.uploads).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual([])
})

test('conflicting images are previewed, whether they are uploaded or copied', async ({ app, page, corner, local }) => {
  const imageFile = join(import.meta.dirname, '../corpus/halves.png')
  await mkdir(join(corner.disk, 'to'))
  for (const folder of [corner.disk, join(corner.disk, 'to'), local]) {
    await copyFile(imageFile, join(folder, 'halves.png'))
    await writeFile(join(folder, 'a.txt'), 'no picture')
  }
  const names = ['a.txt', 'halves.png']
  const images = app.dialog.locator('[data-loaded] > img')
  const widths = () => images.evaluateAll(all => all.map(image => (image as HTMLImageElement).naturalWidth > 0))
  await app.openFolder(corner.path)
  await choose(
    app,
    'Files',
    names.map(name => join(local, name)),
  )
  await expect(app.dialog).toContainText('2 files already exist')
  await expect.poll(widths).toEqual([true, true])
  await app.dialog.getByLabel('Apply to all 2 items').selectOption('Skip')
  await app.button('Continue').click()
  await expect(app.dialog).toHaveCount(0)

  await app.row('a.txt').click()
  await app.row('halves.png').click({ modifiers: ['Control'] })
  await page.keyboard.press('Control+c')
  await app.row('to').dblclick()
  await app.isAt(`/files${corner.path}/to/`)
  await page.keyboard.press('Control+v')
  await expect(app.dialog).toContainText('2 items already exist')
  await expect.poll(widths).toEqual([true, true])
})
