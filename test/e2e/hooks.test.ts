import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manager } from '../api/accounts.ts'
import { expect, test } from './fixtures.ts'
import { startEditing, typeInstead } from './typing.ts'

test.use({ serverArgs: ['--disableExec=false', '--execSandbox=none'] })

const hooks = async (server: Parameters<typeof manager>[0], commands: Record<string, string[]>) =>
  (await manager(server)).change({ commands })

test('an operation refused by a hook changes nothing, and the input is kept', async ({ app, page, corner, server }) => {
  await hooks(server, { before_rename: ['false'] })
  await writeFile(join(corner.disk, 'a.txt'), 'x')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('F2')
  await expect(app.naming.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('b')
  await page.keyboard.press('Enter')
  await expect(app.naming).toContainText('A hook on the server rejected this.')
  await expect(app.naming.getByRole('textbox')).toHaveValue('b.txt')
  await page.keyboard.press('Escape')
  await expect(app.row('a.txt')).toBeVisible()
  await expect.poll(() => existsSync(join(corner.disk, 'a.txt'))).toBe(true)
})

test('an operation counts as done when only a hook after it fails', async ({ app, page, corner, server }) => {
  await hooks(server, { after_save: ['false'], after_delete: ['false'] })
  const failed = page.getByText('Done, but a hook that runs afterwards failed.')
  await writeFile(join(corner.disk, 'a.txt'), 'x')
  await app.openFolder(corner.path)
  await app.row('a.txt').dblclick()
  await startEditing(page)
  for (const text of ['once', 'twice']) {
    await typeInstead(page, text)
    await page.keyboard.press('Control+s')
    await expect.poll(() => readFile(join(corner.disk, 'a.txt'), 'utf8')).toBe(text)
    await expect(app.button('Save')).toHaveAttribute('aria-disabled', 'true')
  }
  await expect(failed).toBeVisible()
  await app.button('Back to the folder').click()

  await app.row('a.txt').click()
  await app.deleteByKey()
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await expect(failed).toBeVisible()
  await expect.poll(() => existsSync(join(corner.disk, 'a.txt'))).toBe(false)
})
