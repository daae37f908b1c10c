import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

const jobsOf = (page: Page) => page.getByRole('region', { name: 'Jobs' })

/** A folder that takes some seconds to be copied: every file of it is brought to the disk. */
async function plantMany(folder: string, files: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (let start = 0; start < files; start += 500) {
    const some = Array.from({ length: Math.min(500, files - start) }, (_, index) => `${start + index}.txt`)
    await Promise.all(some.map(name => writeFile(join(folder, name), name)))
  }
}

test('a long copy shows how far it is, outlives a reload, and can be cancelled without a trace', async ({
  app,
  page,
  corner,
}) => {
  await plantMany(join(corner.disk, 'many'), 4000)
  await mkdir(join(corner.disk, 'to'))
  await app.openFolder(corner.path)
  await app.row('many').click()
  await page.keyboard.press('Control+c')
  await app.row('to').dblclick()
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await page.keyboard.press('Control+v')
  const jobs = jobsOf(page)
  await expect(jobs).toContainText('Copying many to “to”')
  await expect(jobs).toContainText(/KiB of/)
  await page.reload()
  await expect(jobs).toContainText('1 job is running')
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await jobs.getByRole('button', { name: 'Cancel: Copying many to “to”' }).click()
  await expect(jobs).toContainText('Cancelled')
  await expect.poll(() => readdir(join(corner.disk, 'to'))).toEqual([])
  await jobs.getByRole('button', { name: 'Dismiss what has ended' }).click()
  await expect(jobs).toHaveCount(0)
})

test('many things are moved with one call, and each as was decided', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'to'))
  for (const name of ['same.txt', 'other.txt', 'free.txt']) await writeFile(join(corner.disk, name), name)
  await writeFile(join(corner.disk, 'to/same.txt'), 'same.txt')
  await writeFile(join(corner.disk, 'to/other.txt'), 'older')
  const calls: string[] = []
  page.on('request', request => request.method() !== 'GET' && calls.push(new URL(request.url()).pathname))
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await app.row('to').click({ modifiers: ['Control'] })
  await page.keyboard.press('Control+x')
  await app.row('to').dblclick()
  await expect(app.row('same.txt')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(app.dialog).toContainText('2 names are already taken')
  await app.dialog.getByLabel('For all 2').selectOption('Skip if identical')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual(['same.txt', 'to'])
  await expect.poll(() => readFile(join(corner.disk, 'to/other.txt'), 'utf8')).toBe('other.txt')
  expect(calls.filter(path => path.endsWith('/api/jobs'))).toHaveLength(2)
  expect(calls.filter(path => path.includes('/api/resources'))).toEqual([])
})

test('a deletion is put off with the keyboard, waits in the list after a reload, and is called off', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'kept.txt'), 'kept')
  await app.openFolder(corner.path)
  await app.row('kept.txt').click()
  await page.keyboard.press('Delete')
  await expect(app.dialog.getByRole('button', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(app.dialog.getByRole('button', { name: 'Later…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const when = app.dialog.getByLabel('When')
  await expect(when).toBeFocused()
  await expectAccessible(page)
  await when.fill('2020-01-01T10:00')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toContainText('Choose a time that is still to come.')
  await app.dialog.getByRole('button', { name: 'Tomorrow at 8' }).click()
  await when.press('Enter')
  await expect(app.dialog).toHaveCount(0)
  const jobs = jobsOf(page)
  await expect(jobs).toContainText('1 job for later')
  await page.reload()
  await expect(jobs).toContainText('Deleting kept.txt')
  await expect(jobs).toContainText(/Begins .*8:00/)
  await jobs.getByRole('button', { name: 'Cancel: Deleting kept.txt' }).press('Enter')
  await jobs.getByRole('button', { name: 'Dismiss: Deleting kept.txt' }).click()
  await expect(jobs).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual(['kept.txt'])
})

test('a listing follows what others do in the folder, and keeps what is selected', async ({ app, page, corner }) => {
  for (const name of ['a.txt', 'gone.txt']) await writeFile(join(corner.disk, name), name)
  const listening = page.waitForResponse(response => response.url().includes('/api/events?folder='))
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await listening
  await writeFile(join(corner.disk, 'b.txt'), 'by another program')
  await rm(join(corner.disk, 'gone.txt'))
  await expect(app.row('b.txt')).toBeVisible({ timeout: 5000 })
  await expect(app.row('gone.txt')).toHaveCount(0)
  expect(await app.selected()).toEqual(['a.txt'])
  await expect(app.row('a.txt')).toBeFocused()
})
