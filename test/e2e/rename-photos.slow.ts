import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from './fixtures.ts'

/** The names of the files in a folder, each with a checksum of what is in it. */
async function contentsOf(folder: string): Promise<Map<string, string>> {
  const names = (await readdir(folder)).sort()
  const sum = async (name: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, name)))
      .digest('hex')
  return new Map(await Promise.all(names.map(async name => [name, await sum(name)] as const)))
}

/** The names of photos, and the dates that exiftool reads in them; nothing without exiftool. */
function datesByExiftool(folder: string): [string, string][] {
  const flags = ['-q', '-d', '%Y-%m-%d %H.%M.%S', '-p', '$FileName\t$DateTimeOriginal', folder]
  const { stdout, error } = spawnSync('exiftool', flags, { encoding: 'utf8' })
  if (error) return []
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(500)
  return lines.map(line => line.split('\t') as [string, string])
}

test('J11 500 photos get the dates in them as names, two of which were swapped, and that is undone as one', async ({
  app,
  page,
  corner,
}) => {
  test.setTimeout(900_000)
  const { dialog } = app
  const photo = sharp({ create: { width: 8, height: 6, channels: 3, background: 'teal' } })
  const taken = (index: number) =>
    `2020-01-01 ${String(10 + Math.floor(index / 60))}.${String(index % 60).padStart(2, '0')}.07`
  for (let index = 0; index < 500; index += 1) {
    const date = taken(index).replaceAll('-', ':').replaceAll('.', ':')
    const image = photo.clone().withExif({ IFD2: { DateTimeOriginal: date } })
    // The order of the other names is not that of the dates.
    const other = `IMG_${String((index * 137) % 500).padStart(4, '0')}`
    await writeFile(join(corner.disk, `${index < 2 ? taken(1 - index) : other}.jpg`), await image.jpeg().toBuffer())
  }
  const before = await contentsOf(corner.disk)
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('F2')
  await dialog.getByRole('button', { name: 'Remove: Replace text' }).click()
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await page.getByRole('menuitem', { name: 'Template' }).click()
  await dialog.getByLabel('Pattern').fill('{taken:YYYY-MM-DD HH.mm.ss}')
  await dialog.getByRole('button', { name: 'Rename 500 items' }).click()
  await expect(page.getByText('Renamed 500 items')).toBeVisible({ timeout: 300_000 })
  const named = await contentsOf(corner.disk)
  expect([...named.keys()]).toEqual(Array.from({ length: 500 }, (_, index) => `${taken(index)}.jpg`))
  expect(new Set(named.values())).toEqual(new Set(before.values()))
  expect(named.get(`${taken(0)}.jpg`)).toBe(before.get(`${taken(1)}.jpg`))
  for (const [name, date] of datesByExiftool(corner.disk)) expect(name).toBe(`${date}.jpg`)

  await page.keyboard.press('Control+z')
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  // A name may go between the listing and the reading.
  await expect.poll(() => contentsOf(corner.disk).catch(() => undefined), { timeout: 300_000 }).toEqual(before)
})
