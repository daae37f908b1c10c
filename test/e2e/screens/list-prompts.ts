import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOW } from './sample.ts'
import {
  button,
  command,
  dialog,
  nameField,
  openByKey,
  openFolder,
  quiet,
  type Stage,
  select,
  textOf,
} from './stage.ts'

const REPORT = 'Annual report'

/** Dialogs about files. */
export const PROMPT_SCREENS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'new-folder': async stage => {
    await openFolder(stage)
    await stage.page.keyboard.press('Alt+n')
    await nameField(stage).waitFor()
  },
  'new-file': async stage => {
    await openFolder(stage)
    await fromNew(stage, 'actions.newFile')
    await nameField(stage).waitFor()
  },
  rename: async stage => {
    await openFolder(stage)
    await select(stage, REPORT)
    await stage.page.keyboard.press('F2')
    await nameField(stage).waitFor()
  },
  'rename-refused': async stage => {
    await openFolder(stage)
    await select(stage, REPORT)
    await stage.page.keyboard.press('F2')
    await nameField(stage).fill('2025/report.pdf')
    await stage.page.keyboard.press('Enter')
  },
  'rename-many': async stage => {
    await openFolder(stage)
    await select(stage, REPORT, 'Budget 2026')
    await openByKey(stage, 'F2')
    await dialog(stage).getByRole('textbox').first().fill('20')
    await dialog(stage).getByRole('textbox').nth(1).fill('No. 20')
    await quiet(stage)
  },
  versions: async stage => {
    await openFolder(stage)
    await select(stage, REPORT)
    await openByKey(stage, 'Alt+v')
    await quiet(stage)
  },
  rewind: async stage => {
    await openFolder(stage)
    await stage.page.keyboard.press('Control+k')
    await dialog(stage).getByRole('combobox').fill(textOf(stage, 'actions.rewind'))
    await stage.page.keyboard.press('Enter')
    await dialog(stage).locator('input').waitFor()
    await quiet(stage)
  },
  move: async stage => {
    await openFolder(stage)
    await command(stage, REPORT, 'actions.moveTo')
    await dialog(stage).getByRole('treeitem').first().waitFor()
    await dialog(stage).getByRole('treeitem', { name: 'Archive' }).click()
    await stage.page.keyboard.press('ArrowRight')
    await quiet(stage)
  },
  'copy-several': async stage => {
    await openFolder(stage)
    await select(stage, REPORT, 'Budget 2026')
    await command(stage, REPORT, 'actions.copyTo')
    await dialog(stage).getByRole('treeitem').first().waitFor()
    await dialog(stage).getByRole('treeitem', { name: 'Contracts' }).click()
    await button(stage, 'actions.newFolder').last().click()
  },
  delete: async stage => {
    await openFolder(stage)
    await select(stage, REPORT)
    await openByKey(stage, 'Shift+Delete')
  },
  schedule: async stage => {
    await openFolder(stage)
    await select(stage, REPORT)
    await openByKey(stage, 'Shift+Delete')
    await button(stage, 'jobs.later').click()
    await stage.page.getByRole('button', { name: textOf(stage, 'schedule.confirm'), exact: true }).waitFor()
  },
  'delete-several': async stage => {
    await openFolder(stage)
    await select(stage, 'Archive', 'Boat house', REPORT, 'Budget 2026', 'copy-photos', 'Site plan')
    await openByKey(stage, 'Shift+Delete')
  },
  download: async stage => {
    await openFolder(stage)
    await select(stage, 'Boat house', REPORT)
    await openByKey(stage, 'Control+s')
  },
  pack: async stage => {
    await openFolder(stage)
    await select(stage, 'Boat house', REPORT)
    await command(stage, REPORT, 'actions.pack')
    await dialog(stage).waitFor()
  },
  conflicts: async stage => {
    await openFolder(stage)
    await select(stage, 'Boat house', REPORT)
    await stage.page.keyboard.press('Control+c')
    await select(stage, 'Contracts')
    await stage.page.keyboard.press('Enter')
    await stage.page.locator('[role=row]', { hasText: 'Insurance' }).waitFor()
    await stage.page.keyboard.press('Control+v')
    await dialog(stage).waitFor()
  },
  upload: async stage => {
    await openFolder(stage)
    await openByKey(stage, 'Alt+u')
  },
  'upload-conflicts': async stage => {
    await openFolder(stage)
    await choose(stage, ['Budget 2026.xlsx', 'Harbour at dawn.jpg'], 52_000)
    await dialog(stage).getByRole('combobox').first().waitFor()
  },
  'upload-panel': async stage => {
    await openFolder(stage, '/Workshop')
    const session = await stage.page.context().newCDPSession(stage.page)
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20_000 }
    await session.send('Network.emulateNetworkConditions', slow)
    const names = [
      'Bench.step',
      'Drill press.step',
      'Lathe, second try.step',
      'Plans.pdf',
      'Shelf.step',
      'Vice.step',
      'Wall.step',
    ]
    await choose(stage, names, 2_900_000)
    await stage.page.getByRole('progressbar').first().waitFor()
  },
  why: async stage => {
    await openFolder(stage)
    await select(stage, REPORT)
    await stage.page.keyboard.press('Control+i')
    await button(stage, 'details.explainAccess').click()
    await stage.page.getByText(textOf(stage, 'explainAccess.allowed')).waitFor()
  },
  sizes: async stage => {
    await openFolder(stage)
    await openByKey(stage, 'Control+k')
    await stage.page.keyboard.type(textOf(stage, 'actions.sizes'))
    await stage.page.keyboard.press('Enter')
    await dialog(stage).getByRole('toolbar').waitFor()
  },
  jobs: async stage => {
    const later = {
      ...job('delete', 0),
      id: 'b',
      state: 'waiting',
      scheduled: true,
      runAt: '2026-10-16T02:00:00+02:00',
    }
    const ended = { ...job('move', 1), id: 'c', state: 'done', ended: NOW.toISOString() }
    await stage.page.route('**/api/jobs', route => route.fulfill({ json: [job('copy', 0.4), later, ended] }))
    await openFolder(stage)
    await stage.page.getByRole('region', { name: textOf(stage, 'jobs.region') }).waitFor()
    if (stage.phone) await button(stage, 'uploads.expand').click()
  },
  failures: async stage => {
    await openFolder(stage)
    const items = [REPORT, 'Budget 2026'].map(name => ({ from: `/${name}`, state: 'failed', code: 'forbidden' }))
    await stage.page.route('**/api/jobs', route => route.fulfill({ json: { ...job('delete', 0), items } }))
    await select(stage, REPORT, 'Budget 2026')
    await stage.page.keyboard.press('Delete')
    await button(stage, 'common.retry').waitFor()
  },
  'too-far': async stage => {
    await openFolder(stage)
    const item = { from: '/Boat house', state: 'failed', code: 'too_far', bytes: 120e9 }
    await stage.page.route('**/api/jobs', route => route.fulfill({ json: { ...job('delete', 0), items: [item] } }))
    await select(stage, 'Boat house')
    await stage.page.keyboard.press('Delete')
    await button(stage, 'trash.copy').waitFor()
  },
  'share-form': async stage => {
    await openFolder(stage)
    await command(stage, REPORT, 'actions.share')
    await dialog(stage).getByRole('textbox').first().waitFor()
  },
  'share-links': async stage => {
    await openFolder(stage)
    await command(stage, 'Boat house', 'actions.share')
    await dialog(stage).getByRole('textbox').first().waitFor()
  },
  'share-qr': async stage => {
    await openFolder(stage)
    await command(stage, 'Boat house', 'actions.share')
    await button(stage, 'shares.code').first().click()
    await quiet(stage)
  },
  'share-delete': async stage => {
    await openFolder(stage)
    await command(stage, 'Boat house', 'actions.share')
    await button(stage, 'shares.delete').first().click()
    await stage.page.getByText(textOf(stage, 'shares.deleteTitle')).waitFor()
  },
}

async function fromNew(stage: Stage, key: string): Promise<void> {
  await button(stage, 'nav.new').click()
  await stage.page.getByRole('menuitem', { name: textOf(stage, key), exact: true }).click()
}

/** A job as the server returns it, by kind and progress. */
function job(kind: string, share: number) {
  const bytesTotal = 912_000_000
  return {
    id: 'a',
    kind,
    userID: 1,
    state: 'running',
    created: NOW.toISOString(),
    runAt: NOW.toISOString(),
    started: NOW.toISOString(),
    scheduled: false,
    count: { total: 14, done: Math.round(14 * share), skipped: 0, failed: 0, cancelled: 0 },
    progress: { bytes: Math.round(bytesTotal * share), bytesTotal, entries: Math.round(14 * share), entriesTotal: 14 },
    first: { from: '/Coast walk/01 Setting out.jpg', to: '/Archive/01 Setting out.jpg' },
  }
}

/** Chooses files of a person's own disk, all of one date. */
async function choose(stage: Stage, names: readonly string[], size: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'filigree-screens-'))
  const paths = names.map(name => join(folder, name))
  for (const [index, path] of paths.entries()) {
    await writeFile(path, Buffer.alloc(size * (1 + (index % 3)), 'x'))
    await utimes(path, NOW, new Date(NOW.getTime() - 5_400_000))
  }
  await openByKey(stage, 'Alt+u')
  const [chooser] = await Promise.all([
    stage.page.waitForEvent('filechooser'),
    dialog(stage)
      .getByRole('button', { name: textOf(stage, 'uploads.chooseFiles') })
      .first()
      .click(),
  ])
  await chooser.setFiles(paths)
  stage.page.once('close', () => void rm(folder, { recursive: true, force: true }))
}
