import { NOW } from './sample.ts'
import { open, quiet, type Stage, select } from './stage.ts'

const DAY = 86_400_000
const daysFrom = (days: number) => new Date(NOW.getTime() + days * DAY).toISOString()

const item = (path: string, days: number, more: object = {}) => ({
  id: path,
  name: path.split('/').at(-1),
  path,
  isDir: false,
  size: 48_213,
  modified: daysFrom(-90),
  deleted: daysFrom(-days),
  until: daysFrom(30 - days),
  by: 'jonas',
  mine: false,
  ...more,
})

const outside = { by: '', outside: true, until: undefined }
const ITEMS = [
  item('/Boat house/Offer.pdf', 0.1, { by: 'admin', mine: true }),
  item('/Boat house/Photos', 2, { isDir: true, size: 0 }),
  item('/Backup disk/Old plans.odt', 5, outside),
  item('/Contracts/2024', 12, { isDir: true, size: 0, by: 'aylin' }),
  item('/Backup disk/Site plan (copy).png', 400, { ...outside, size: 3_812_000 }),
]

async function openTrash(stage: Stage): Promise<void> {
  const json = { items: ITEMS, more: false, count: ITEMS.length, bytes: 12_400_000 }
  await stage.page.route('**/api/trash?*', route => route.fulfill({ json }))
  await open(stage, '/trash/')
  await stage.page.getByText('Old plans').first().waitFor()
}

/** The trash, with items that other programs deleted. */
export const TRASH_SCREENS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  trash: openTrash,
  'trash-selected': async stage => {
    await openTrash(stage)
    await select(stage, 'Old plans', 'Photos')
  },
  'trash-nothing': async stage => {
    await open(stage, '/trash/')
    await quiet(stage)
  },
}
