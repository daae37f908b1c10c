import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessibleInBoth } from './axe.ts'
import { type Corner, expect, test } from './fixtures.ts'

test.use({ serverArgs: ['--snapshots', '{top}/.shots/home.%Y%m%dT%H%M'] })

/** Two snapshots with a folder and a report in them. */
async function plant(root: string, { disk, path }: Corner): Promise<void> {
  for (const day of ['01', '02']) {
    const state = join(root, '.shots', `home.202611${day}T0900`, path)
    await mkdir(join(state, 'docs'), { recursive: true })
    await writeFile(join(state, 'docs', 'report.txt'), `draft ${day}`)
    await writeFile(join(state, 'docs', 'gone.txt'), 'was here')
    for (const name of ['report.txt', 'gone.txt']) await utimes(join(state, 'docs', name), Number(day), Number(day))
  }
  await mkdir(join(disk, 'docs'))
  await writeFile(join(disk, 'docs', 'report.txt'), 'final')
}

/** Runs an action from the command palette. */
async function command(page: Page, label: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(label)
  await page.getByRole('option', { name: label }).click()
}

test('a folder is shown as it was, and what is missing comes back', async ({ app, page, corner, server }) => {
  await plant(server.root, corner)
  await app.openFolder(`${corner.path}/docs`)
  await command(page, 'View earlier state…')
  await expect(page.getByText(/^As it was on Nov 2, 2026/)).toBeVisible()
  await expect(app.row('gone.txt')).toBeVisible()
  await expect(app.button('New')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await page.getByLabel('Snapshots, from the oldest to the newest').press('ArrowLeft')
  await expect(page.getByText(/^As it was on Nov 1, 2026/)).toBeVisible()
  await app.row('gone.txt').click()
  await app.button('Restore here…').click()
  await app.dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Restored “gone.txt”')).toBeVisible()
  expect(await readFile(join(corner.disk, 'docs', 'gone.txt'), 'utf8')).toBe('was here')
  await app.row('report.txt').dblclick()
  await expect(page.getByText('draft 01')).toBeVisible()
  await page.getByRole('link', { name: 'Back to now' }).click()
  await expect(page.getByText('final')).toBeVisible()
})

test('the versions of a file include those in snapshots', async ({ app, page, corner, server }) => {
  await plant(server.root, corner)
  await app.openFolder(`${corner.path}/docs`)
  await app.row('report.txt').click()
  await page.keyboard.press('Alt+v')
  const found = app.dialog.getByRole('region', { name: 'Snapshots of the file system' })
  await expect(found.getByRole('listitem')).toHaveCount(2)
  await expectAccessibleInBoth(page)
  await found
    .getByRole('button', { name: /^Restore the version of/ })
    .last()
    .click()
  await expect(page.getByText(/^Restored the version of/)).toBeVisible()
  expect(await readFile(join(corner.disk, 'docs', 'report.txt'), 'utf8')).toBe('draft 01')
})

test('a folder is rewound after a count of what that does', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'papers'))
  await writeFile(join(corner.disk, 'papers', 'to delete.txt'), 'text')
  await app.openFolder(`${corner.path}/papers`)
  await app.row('to delete.txt').click()
  await page.keyboard.press('Delete')
  await expect(page.getByText(/^Moved “to delete.txt” to the trash/)).toBeVisible()
  await command(page, 'Rewind this folder…')
  await expect(app.dialog.getByText('Back from the trash: 1')).toBeVisible()
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Rewind' }).click()
  await expect(app.row('to delete.txt')).toBeVisible()
})
