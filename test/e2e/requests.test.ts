import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('a folder page, its menus and its viewer load in few files', async ({ app, page, corner }) => {
  const files = new Set<string>()
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.includes('/assets/')) files.add(pathname)
  })
  await writeFile(join(corner.disk, 'note.txt'), 'text')
  const ahead = ['folder-page', 'folder-idle', 'menu', 'viewers', 'uploads']
  const missing = () => ahead.filter(name => ![...files].some(file => file.includes(`/${name}-`)))
  await app.openFolder(corner.path)
  await expect(app.row('note.txt')).toBeVisible()
  await expect.poll(missing).toEqual([])
  expect(files.size).toBeLessThanOrEqual(30)
})
